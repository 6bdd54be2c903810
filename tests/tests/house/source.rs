//! The source of the core as the checks see it: modules, what each defines and binds, and every path
//! that it names. Code under `#[cfg(test)]` is left out.

use crate::tokens::{self, Written};
use std::collections::{BTreeMap, BTreeSet};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The path of a module from the crate root, which is empty.
pub(crate) type ModulePath = Vec<String>;

/// All files of the core.
#[derive(Default)]
pub(crate) struct Sources {
    pub(crate) modules: BTreeMap<ModulePath, Module>,
    pub(crate) mentions: Vec<Mention>,
    /// Places where source is brought in so that these checks could not follow it.
    pub(crate) hidden: Vec<String>,
}

/// What can be named in a module.
#[derive(Default)]
pub(crate) struct Module {
    /// The file it stands in, from `core/src`; empty where no file of its own was given.
    pub(crate) file: String,
    pub(crate) items: BTreeSet<String>,
    /// What `use` binds, by name. A name may stand for a type, a function and a macro at once. A `use`
    /// inside a function is counted as the module's.
    pub(crate) bindings: BTreeMap<String, Vec<Vec<String>>>,
    pub(crate) globs: Vec<Vec<String>>,
}

/// How a path is named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Import,
    /// A `use` with a visibility: it passes a name on, and the file itself may not need it.
    Reexport,
    Body,
}

/// A path that a file names.
pub(crate) struct Mention {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) module: ModulePath,
    pub(crate) segments: Vec<String>,
    pub(crate) glob: bool,
    pub(crate) kind: Kind,
    /// The innermost function around it.
    pub(crate) function: Option<String>,
}

impl Sources {
    /// Reads files given as their path from `core/src` and their text.
    pub(crate) fn parse(files: &[(impl AsRef<str>, impl AsRef<str>)]) -> Result<Self, String> {
        let mut parsed = Vec::new();
        let mut tests = BTreeSet::new();
        for (path, text) in files {
            let (path, text) = (path.as_ref(), text.as_ref());
            let tree = syn::parse_file(text)
                .map_err(|error| format!("{path}:{}: {error}", error.span().start().line))?;
            let module = module_path(path);
            test_modules(&tree.items, &module, &mut tests);
            parsed.push((path, module, tree));
        }
        let mut sources = Self::default();
        for (path, module, tree) in &parsed {
            let is_test = |end| tests.contains(&module[..end]) || module[end - 1] == "tests";
            if (1..=module.len()).any(is_test) || tree.attrs.iter().any(is_cfg_test) {
                continue;
            }
            let mut reader =
                Reader { sources: &mut sources, file: path, module: module.clone(), functions: Vec::new() };
            (0..module.len())
                .for_each(|end| _ = reader.sources.modules.entry(module[..end].to_vec()).or_default());
            reader.open_module();
            reader.visit_file(tree);
        }
        Ok(sources)
    }
}

/// `redact/clean/mod.rs` and `redact/clean.rs` are both `redact::clean`.
fn module_path(file: &str) -> ModulePath {
    let mut path: ModulePath = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if path.last().is_some_and(|last| last == "mod") || path == ["lib"] {
        path.pop();
    }
    path
}

fn test_modules(items: &[syn::Item], within: &ModulePath, found: &mut BTreeSet<ModulePath>) {
    for item in items {
        let syn::Item::Mod(module) = item else { continue };
        let mut path = within.clone();
        path.push(module.ident.unraw().to_string());
        if let Some((_, items)) = &module.content {
            test_modules(items, &path, found);
        }
        if module.attrs.iter().any(is_cfg_test) {
            found.insert(path);
        }
    }
}

fn is_cfg_test(attribute: &syn::Attribute) -> bool {
    fn needs_test(condition: &syn::Meta) -> bool {
        match condition {
            syn::Meta::Path(path) => path.is_ident("test"),
            syn::Meta::List(list) if list.path.is_ident("all") => list
                .parse_args_with(syn::punctuated::Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated)
                .is_ok_and(|parts| parts.iter().any(needs_test)),
            _ => false,
        }
    }
    attribute.path().is_ident("test")
        || (attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Meta>().is_ok_and(|it| needs_test(&it)))
}

struct Reader<'a> {
    sources: &'a mut Sources,
    file: &'a str,
    module: ModulePath,
    functions: Vec<String>,
}

impl Reader<'_> {
    fn open_module(&mut self) -> &mut Module {
        let module = self.sources.modules.entry(self.module.clone()).or_default();
        module.file = self.file.to_owned();
        module
    }

    fn mention(&mut self, kind: Kind, Written { segments, glob, line }: Written) {
        let (file, module) = (self.file.to_owned(), self.module.clone());
        let function = self.functions.last().cloned();
        self.sources.mentions.push(Mention { file, line, module, segments, glob, kind, function });
    }

    fn hide(&mut self, line: usize, what: &str) {
        self.sources.hidden.push(format!("{}:{line}: {what} hides source from these checks", self.file));
    }

    fn bind(&mut self, name: String, target: Vec<String>) {
        self.open_module().bindings.entry(name).or_default().push(target);
    }

    fn within(&mut self, function: &syn::Ident, visit: impl FnOnce(&mut Self)) {
        self.functions.push(function.unraw().to_string());
        visit(self);
        self.functions.pop();
    }

    fn use_tree(&mut self, tree: &syn::UseTree, mut prefix: Vec<String>, kind: Kind) {
        let line = tree.span().start().line;
        match tree {
            syn::UseTree::Path(path) => {
                prefix.push(path.ident.unraw().to_string());
                self.use_tree(&path.tree, prefix, kind);
            }
            syn::UseTree::Name(name) => self.use_name(&name.ident, &name.ident, prefix, kind),
            syn::UseTree::Rename(name) => self.use_name(&name.ident, &name.rename, prefix, kind),
            syn::UseTree::Glob(_) => {
                self.open_module().globs.push(prefix.clone());
                self.mention(kind, Written { segments: prefix, glob: true, line });
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.use_tree(tree, prefix.clone(), kind));
            }
        }
    }

    fn use_name(&mut self, name: &syn::Ident, bound: &syn::Ident, mut path: Vec<String>, kind: Kind) {
        let line = name.span().start().line;
        // `use a::b::{self}` is `use a::b`.
        let name_of_self = path.last().cloned().filter(|_| name == "self");
        if name_of_self.is_none() {
            path.push(name.unraw().to_string());
        }
        let bound = if bound == "self" { name_of_self } else { Some(bound.unraw().to_string()) };
        if let Some(bound) = bound {
            self.bind(bound, path.clone());
        }
        self.mention(kind, Written { segments: path, glob: false, line });
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let (attributes, name) = head_of(item);
        if attributes.iter().any(is_cfg_test) {
            return;
        }
        if let (Some(name), true) = (name, self.functions.is_empty()) {
            self.open_module().items.insert(name.unraw().to_string());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        module.attrs.iter().for_each(|attribute| self.visit_attribute(attribute));
        if let Some((_, items)) = &module.content {
            self.module.push(module.ident.unraw().to_string());
            self.open_module();
            items.iter().for_each(|item| self.visit_item(item));
            self.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let kind = match item.vis {
            syn::Visibility::Inherited => Kind::Import,
            _ => Kind::Reexport,
        };
        let start = item.leading_colon.map(|_| "::".to_owned());
        self.use_tree(&item.tree, start.into_iter().collect(), kind);
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        let bound = item.rename.as_ref().map_or(&item.ident, |(_, rename)| rename).unraw().to_string();
        let target = match item.ident.unraw().to_string() {
            own if own == "self" => vec!["crate".to_owned()],
            other => vec!["::".to_owned(), other],
        };
        self.bind(bound, target.clone());
        let line = item.ident.span().start().line;
        self.mention(Kind::Import, Written { segments: target, glob: false, line });
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.within(&item.sig.ident, |reader| visit::visit_item_fn(reader, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !item.attrs.iter().any(is_cfg_test) {
            self.within(&item.sig.ident, |reader| visit::visit_impl_item_fn(reader, item));
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.within(&item.sig.ident, |reader| visit::visit_trait_item_fn(reader, item));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let start = path.leading_colon.map(|_| "::".to_owned());
        let names = path.segments.iter().map(|segment| segment.ident.unraw().to_string());
        let segments = start.into_iter().chain(names).collect();
        self.mention(Kind::Body, Written { segments, glob: false, line: path.span().start().line });
        visit::visit_path(self, path);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        match &*call.func {
            syn::Expr::Path(function) => visit::visit_expr_path(self, function),
            other => self.visit_expr(other),
        }
        call.args.iter().for_each(|argument| self.visit_expr(argument));
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        // A lone small word that is not called is a variable, whatever else has its name.
        let variable =
            path.path.get_ident().is_some_and(|name| name.to_string().starts_with(char::is_lowercase));
        if !variable {
            visit::visit_expr_path(self, path);
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if call.path.segments.last().is_some_and(|name| name.ident == "include") {
            self.hide(call.span().start().line, "include!");
        }
        self.visit_path(&call.path);
        tokens::paths(call.tokens.clone()).into_iter().for_each(|path| self.mention(Kind::Body, path));
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        // Links in documentation may lead up: nothing is compiled against them.
        if attribute.path().is_ident("doc") && !matches!(attribute.meta, syn::Meta::List(_)) {
            return;
        }
        for name in ["path", "macro_use"] {
            if attribute.path().is_ident(name) {
                self.hide(attribute.span().start().line, &format!("#[{name}]"));
            }
        }
        self.visit_path(attribute.path());
        match &attribute.meta {
            syn::Meta::Path(_) => {}
            syn::Meta::List(list) => {
                tokens::paths(list.tokens.clone())
                    .into_iter()
                    .for_each(|path| self.mention(Kind::Body, path));
            }
            syn::Meta::NameValue(pair) => self.visit_expr(&pair.value),
        }
    }
}

/// The attributes of an item, and the name that it defines for others to import.
fn head_of(item: &syn::Item) -> (&[syn::Attribute], Option<&syn::Ident>) {
    match item {
        syn::Item::Const(item) => (&item.attrs, Some(&item.ident)),
        syn::Item::Enum(item) => (&item.attrs, Some(&item.ident)),
        syn::Item::ExternCrate(item) => (&item.attrs, None),
        syn::Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
        syn::Item::ForeignMod(item) => (&item.attrs, None),
        syn::Item::Impl(item) => (&item.attrs, None),
        syn::Item::Macro(item) => (&item.attrs, item.ident.as_ref()),
        syn::Item::Mod(item) => (&item.attrs, None),
        syn::Item::Static(item) => (&item.attrs, Some(&item.ident)),
        syn::Item::Struct(item) => (&item.attrs, Some(&item.ident)),
        syn::Item::Trait(item) => (&item.attrs, Some(&item.ident)),
        syn::Item::TraitAlias(item) => (&item.attrs, Some(&item.ident)),
        syn::Item::Type(item) => (&item.attrs, Some(&item.ident)),
        syn::Item::Union(item) => (&item.attrs, Some(&item.ident)),
        syn::Item::Use(item) => (&item.attrs, None),
        _ => (&[], None),
    }
}
