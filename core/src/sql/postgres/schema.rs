use super::dialect;
use crate::{
    model::StorageError,
    sql::{Value, migrations},
};
use alloc::{format, string::String, vec::Vec};
use core::fmt::Write as _;

/// What a new connection asks first; [`judge`] reads the one row that it gives.
pub const LOOK: &str = "SELECT current_schema()::TEXT, current_setting('server_encoding'), \
    current_setting('server_version_num')::BIGINT, \
    (SELECT COUNT(*) FROM pg_class c WHERE c.relkind IN ('r', 'p') \
        AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) \
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')), \
    (SELECT COUNT(*) FROM pg_class c WHERE c.relkind = 'r' AND c.relname = 'throughline' \
        AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()))";

/// What a marked database is asked; [`schema_found`] reads the rows that it gives.
pub const MARK: &str = "SELECT schema FROM throughline";

/// What a marked database is asked for the size of its tables with their indexes; [`size_found`] reads the rows
/// that it gives.
pub const SIZE: &str = "SELECT COALESCE(SUM(pg_total_relation_size(c.oid)), 0)::BIGINT FROM pg_class c \
    WHERE c.relkind IN ('r', 'p') \
        AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())";

/// Lets one host at a time make or change the tables, until its transaction ends. The number is arbitrary.
pub const UPGRADE_LOCK: &str = "SELECT pg_advisory_xact_lock(6073744913519890510)";

/// The oldest version of PostgreSQL that is supported, as `server_version_num` has it.
const OLDEST: i64 = 150_000;

/// Judges a database by the row of [`LOOK`], before anything is written to it: whether it is marked as ours
/// ([`MARK`] then says which schema it has). One without any table is not, and may become ours.
///
/// ```
/// use throughline_core::sql::{Value, postgres::judge};
/// let row = |tables, marks| {
///     [Value::from("public"), Value::from("UTF8"), Value::Int(160_002), Value::Int(tables), Value::Int(marks)]
/// };
/// assert_eq!(judge(&row(0, 0)), Ok(false));
/// assert_eq!(judge(&row(7, 1)), Ok(true));
/// assert_eq!(judge(&row(3, 0)).unwrap_err().code(), "storage_foreign");
/// ```
///
/// # Errors
/// `storage_foreign` when the schema holds tables of another program; `storage_unavailable` when there is no
/// schema to keep tables in, the server is too old, or its database cannot hold every text;
/// `storage_corrupt` for a row of another shape.
pub fn judge(look: &[Value]) -> Result<bool, StorageError> {
    let [place, encoding, Value::Int(version), Value::Int(tables), Value::Int(marks)] = look else {
        let what = String::from("a row of another shape");
        return Err(StorageError::Corrupt { what, expected: "what the database holds" });
    };
    let Value::Text(place) = place else {
        let why = "the search path names no schema that exists; a store is kept in the first one";
        return Err(StorageError::Unavailable { why: why.into() });
    };
    if *version < OLDEST {
        let version = version.saturating_div(10_000);
        let why = format!("the server is PostgreSQL {version}; accepted: PostgreSQL 15 or newer");
        return Err(StorageError::Unavailable { why });
    }
    if *encoding != Value::from("UTF8") {
        let why = "the database does not hold text as UTF-8; accepted: one with ENCODING 'UTF8'";
        return Err(StorageError::Unavailable { why: why.into() });
    }
    if *marks == 0 && *tables > 0 {
        let tables = if *tables == 1 { String::from("1 table") } else { format!("{tables} tables") };
        let what = format!(
            "the schema {place} of the database holds {tables} of another program; \
             another schema can be named by the search path (?options=-csearch_path%3DNAME)"
        );
        return Err(StorageError::Foreign { what });
    }
    Ok(*marks > 0)
}

/// The schema that a marked database has, by the rows of [`MARK`].
///
/// # Errors
/// `storage_foreign` for a mark that is none of ours, `schema_newer` for one that this version cannot read.
pub fn schema_found(rows: &[Vec<Value>]) -> Result<u32, StorageError> {
    let known = u32::try_from(migrations().len()).unwrap_or(u32::MAX);
    let found = match rows {
        [row] => match row.as_slice() {
            [Value::Int(version @ 1..)] => u32::try_from(*version).ok(),
            _ => None,
        },
        _ => None,
    };
    match found {
        Some(found) if found > known => Err(StorageError::SchemaNewer { found, known }),
        Some(found) => Ok(found),
        None => Err(StorageError::Foreign { what: "its table throughline is of another program".into() }),
    }
}

/// The script that brings a database from the schema that it has (0: none) to the newest, and marks it.
///
/// ```
/// use throughline_core::sql::postgres::upgrade;
/// assert!(upgrade(0).contains("CREATE TABLE throughline "));
/// assert!(!upgrade(1).contains("CREATE TABLE throughline "));
/// ```
#[must_use]
pub fn upgrade(found: u32) -> String {
    let mut script = String::new();
    for migration in migrations().iter().skip(usize::try_from(found).unwrap_or(usize::MAX)) {
        script.push_str(&dialect::schema(migration));
    }
    let known = migrations().len();
    // Writing to a string does not fail.
    let _ = if found == 0 {
        write!(
            script,
            "CREATE TABLE throughline (schema BIGINT NOT NULL); INSERT INTO throughline VALUES ({known});"
        )
    } else {
        write!(script, "UPDATE throughline SET schema = {known};")
    };
    script
}

/// The size of a store, in bytes, by the rows of [`SIZE`].
///
/// ```
/// use throughline_core::sql::{Value, postgres::size_found};
/// assert_eq!(size_found(&[vec![Value::Int(131_072)]]), Ok(131_072));
/// assert_eq!(size_found(&[]).unwrap_err().code(), "storage_corrupt");
/// ```
///
/// # Errors
/// `storage_corrupt` for rows of another shape.
pub fn size_found(rows: &[Vec<Value>]) -> Result<u64, StorageError> {
    let size = match rows.first().map(Vec::as_slice) {
        Some([Value::Int(size)]) => u64::try_from(*size).ok(),
        _ => None,
    };
    let what = || String::from("a row of another shape");
    size.ok_or_else(|| StorageError::Corrupt { what: what(), expected: "the size of the database" })
}

#[cfg(test)]
mod tests {
    use super::{judge, schema_found};
    use crate::sql::{Value, migrations};
    use alloc::{string::ToString, vec};

    #[test]
    fn databases_that_cannot_be_a_store() {
        let sound = [Value::from("public"), "UTF8".into(), Value::Int(150_018), Value::Int(0), Value::Int(0)];
        for (column, value, says) in [
            (0, Value::Null, "names no schema"),
            (1, "LATIN1".into(), "as UTF-8"),
            (2, Value::Int(140_009), "PostgreSQL 14;"),
            (3, Value::Int(1), "holds 1 table of another program"),
        ] {
            let mut row = sound.clone();
            row[column] = value;
            let error = judge(&row).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        assert_eq!(judge(&sound[1..]).unwrap_err().code(), "storage_corrupt");
    }

    #[test]
    fn marks() {
        let known = i64::try_from(migrations().len()).unwrap();
        assert_eq!(schema_found(&[vec![Value::Int(1)]]), Ok(1));
        assert_eq!(schema_found(&[vec![Value::Int(known + 1)]]).unwrap_err().code(), "schema_newer");
        for value in [Value::Int(0), Value::Int(-1), Value::Null, "1".into()] {
            assert_eq!(schema_found(&[vec![value]]).unwrap_err().code(), "storage_foreign");
        }
        assert_eq!(schema_found(&[]).unwrap_err().code(), "storage_foreign");
    }
}
