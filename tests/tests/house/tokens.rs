//! Paths in what syn leaves as tokens: the inside of macro calls, macro definitions and attributes.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::ext::IdentExt;

/// A path as written. `glob` when it ends in `::*`; a leading `::` is the segment `"::"`.
pub(crate) struct Written {
    pub(crate) segments: Vec<String>,
    pub(crate) glob: bool,
    pub(crate) line: usize,
}

/// Every path in the tokens, at any depth. A single word counts when it can name an item: not after a dot,
/// and written like a type or followed by `(…)` or `!`; others are variables and fields. A string that
/// reads as a path from `crate`, `self` or `super` counts too, since serde takes its functions that way.
pub(crate) fn paths(tokens: TokenStream) -> Vec<Written> {
    let mut found = Vec::new();
    scan(tokens, &mut found);
    found
}

fn scan(tokens: TokenStream, found: &mut Vec<Written>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(tree) = trees.get(at) {
        match tree {
            TokenTree::Group(group) => scan(group.stream(), found),
            TokenTree::Literal(literal) => quoted(literal, found),
            TokenTree::Ident(_) => {
                at = path(&trees, at, &[], found);
                continue;
            }
            TokenTree::Punct(_) => {
                if colons(&trees, at) && matches!(trees.get(at + 2), Some(TokenTree::Ident(_))) {
                    at = path(&trees, at + 2, &["::".to_owned()], found);
                    continue;
                }
            }
        }
        at += 1;
    }
}

/// Reads the path that starts at `start`, after `prefix`; the place after it.
fn path(trees: &[TokenTree], start: usize, prefix: &[String], found: &mut Vec<Written>) -> usize {
    let line = trees[start].span().start().line;
    let mut segments = prefix.to_vec();
    let mut at = start;
    while let Some(TokenTree::Ident(ident)) = trees.get(at) {
        segments.push(ident.unraw().to_string());
        at += 1;
        if !colons(trees, at) {
            break;
        }
        match trees.get(at + 2) {
            Some(TokenTree::Ident(_)) => at += 2,
            Some(TokenTree::Punct(star)) if star.as_char() == '*' => {
                found.push(Written { segments, glob: true, line });
                return at + 3;
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                branches(group.stream(), &segments, found);
                return at + 3;
            }
            _ => break,
        }
    }
    if segments.len() > 1 || names_an_item(trees, start) {
        found.push(Written { segments, glob: false, line });
    }
    at
}

/// The inside of the braces of a `use`, after `prefix`.
fn branches(tokens: TokenStream, prefix: &[String], found: &mut Vec<Written>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for branch in trees.split(|tree| is(Some(tree), ',')) {
        match branch.first() {
            Some(TokenTree::Ident(_)) => {
                path(branch, 0, prefix, found);
            }
            Some(TokenTree::Punct(star)) if star.as_char() == '*' => {
                let line = star.span().start().line;
                found.push(Written { segments: prefix.to_vec(), glob: true, line });
            }
            Some(TokenTree::Group(group)) => branches(group.stream(), prefix, found),
            _ => {}
        }
    }
}

fn quoted(literal: &proc_macro2::Literal, found: &mut Vec<Written>) {
    let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) else { return };
    let text = text.value();
    if !["crate::", "self::", "super::"].iter().any(|start| text.starts_with(start)) {
        return;
    }
    if let Ok(path) = syn::parse_str::<syn::Path>(&text) {
        let segments = path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect();
        found.push(Written { segments, glob: false, line: literal.span().start().line });
    }
}

fn names_an_item(trees: &[TokenTree], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| trees.get(before));
    let range = at >= 2 && is(trees.get(at - 2), '.');
    if is(before, '.') && !range {
        return false;
    }
    let upper = trees[at].to_string().starts_with(char::is_uppercase);
    let called = match trees.get(at + 1) {
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
        after => is(after, '!'),
    };
    upper || called
}

fn colons(trees: &[TokenTree], at: usize) -> bool {
    is(trees.get(at), ':') && is(trees.get(at + 1), ':')
}

fn is(tree: Option<&TokenTree>, wanted: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}
