use alloc::{
    format,
    string::{String, ToString},
};

/// A statement of the core as PostgreSQL reads it: `$1`, `$2`, … for each `?` that stands in no literal.
///
/// Batch ids that are kept no longer are deleted by whoever comes first: nobody waits for another host that
/// deletes them.
///
/// ```
/// use throughline_core::sql::postgres::translate;
/// assert_eq!(translate("SELECT '?' FROM t WHERE a = ? AND b = ?"), "SELECT '?' FROM t WHERE a = $1 AND b = $2");
/// ```
#[must_use]
pub fn translate(sql: &str) -> String {
    let mut parameters = 0_u32;
    let numbered = outside_literals(sql, |piece| {
        let mut pieces = piece.split('?');
        let mut text = pieces.next().unwrap_or_default().to_string();
        for between in pieces {
            parameters = parameters.saturating_add(1);
            text.push_str(&format!("${parameters}{between}"));
        }
        text
    });
    match numbered.strip_suffix(')') {
        Some(selection) if sql.starts_with("DELETE FROM batches ") => {
            format!("{selection} FOR UPDATE SKIP LOCKED)")
        }
        _ => numbered,
    }
}

/// A migration as PostgreSQL reads it: text that sorts by its bytes, whole numbers of 64 bits, and tables
/// without the words that SQLite alone has.
pub(super) fn schema(migration: &str) -> String {
    let plain = migration.replace(") STRICT, WITHOUT ROWID;", ");").replace(") STRICT;", ");");
    outside_literals(&plain, |piece| piece.split_inclusive(|c| !is_of_word(c)).map(column_type).collect())
}

fn column_type(word: &str) -> String {
    let name = word.trim_end_matches(|c| !is_of_word(c));
    let end = word.strip_prefix(name).unwrap_or_default();
    match name {
        "TEXT" => format!("TEXT COLLATE \"C\"{end}"),
        "INTEGER" => format!("BIGINT{end}"),
        _ => word.to_string(),
    }
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Changes what stands outside of quotes. A doubled quote ends one literal and begins the next.
fn outside_literals(sql: &str, mut change: impl FnMut(&str) -> String) -> String {
    let mut text = String::with_capacity(sql.len().saturating_add(64));
    let mut is_literal = None;
    for piece in sql.split_inclusive(['\'', '"']) {
        let (body, quote) = match piece.strip_suffix(['\'', '"']) {
            Some(body) => (body, piece.chars().next_back()),
            None => (piece, None),
        };
        text.push_str(&if is_literal.is_some() { body.to_string() } else { change(body) });
        text.extend(quote);
        is_literal = match (is_literal, quote) {
            (None, begun) => begun,
            (Some(open), Some(found)) if open == found => None,
            (open, _) => open,
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{schema, translate};
    use crate::sql::migrations;

    #[test]
    fn literals_are_left_alone() {
        for (sql, translated) in [
            ("? ?", "$1 $2"),
            ("a = 'it''s ?' OR b = ?", "a = 'it''s ?' OR b = $1"),
            ("\"a?'\" = ? AND c = '\"?' AND d = ?", "\"a?'\" = $1 AND c = '\"?' AND d = $2"),
            ("'open ?", "'open ?"),
            ("", ""),
        ] {
            assert_eq!(translate(sql), translated);
        }
        assert_eq!(
            translate("DELETE FROM batches WHERE id IN (SELECT id FROM batches LIMIT 16)"),
            "DELETE FROM batches WHERE id IN (SELECT id FROM batches LIMIT 16 FOR UPDATE SKIP LOCKED)"
        );
    }

    #[test]
    fn the_schema_has_no_word_of_sqlite_left() {
        assert_eq!(
            schema("CREATE TABLE a (b TEXT, \"TEXT\" INTEGER DEFAULT 'TEXT') STRICT, WITHOUT ROWID;"),
            "CREATE TABLE a (b TEXT COLLATE \"C\", \"TEXT\" BIGINT DEFAULT 'TEXT');"
        );
        for migration in migrations() {
            let translated = schema(migration);
            let words = translated.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            for word in words {
                let odd = ["STRICT", "ROWID", "INTEGER", "AUTOINCREMENT", "BLOB", "REAL", "ANY", "INT"];
                assert!(!odd.contains(&word), "{word}");
            }
            assert_eq!(translated.matches("TEXT").count(), translated.matches("TEXT COLLATE \"C\"").count());
        }
    }
}
