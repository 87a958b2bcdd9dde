//! JavaScript and TypeScript, on Bun, Deno, Node, tsx and ts-node.
//!
//! The script lies in our temp folder but should behave as if it lay in the working folder: modules and
//! relative imports are looked up there. On Node a small preloaded file sees to that.

use std::ffi::OsString;
use std::io;

use super::{Plan, Workshop, has_line_starting};
use crate::Language;
use crate::runtimes::RuntimeKind;

/// Defines the file's names on the global object; the text is read at its first use.
const FILE_GLOBALS: &str = r#"
{
  const path = process.env.FILE_CONTENT_PATH;
  if (path !== undefined) {
    globalThis.FILE_CONTENT_PATH = path;
    let text;
    Object.defineProperty(globalThis, 'FILE_CONTENT', {
      configurable: true,
      get() { return text ??= fs.readFileSync(path, 'utf8'); },
      set(value) { text = value; },
    });
  }
}
"#;

/// Resolves what the script imports as if it lay in the working folder, and gives ES modules `require`.
const NODE_PRELOAD: &str = r#"'use strict';
const fs = require('node:fs');
const Module = require('node:module');
const { pathToFileURL } = require('node:url');
const sep = require('node:path').sep;
const script = process.env.PLIMSOLL_SCRIPT;
// Threads load this file too, the one that resolves modules among them; once is enough.
if (script && require('node:worker_threads').isMainThread) {
  const here = pathToFileURL(process.cwd() + sep + 'script.js').href;
  const there = pathToFileURL(script).href;
  globalThis.require ??= Module.createRequire(here);
  const original = Module._resolveFilename;
  Module._resolveFilename = function (request, parent, ...rest) {
    if (parent && parent.filename === script) {
      try { return globalThis.require.resolve(request); } catch { /* the usual error then */ }
    }
    return original.call(this, request, parent, ...rest);
  };
  if (Module.registerHooks) {
    Module.registerHooks({
      resolve: (name, context, next) =>
        next(name, context.parentURL === there ? { ...context, parentURL: here } : context),
    });
  } else if (Module.register && /[.]m[jt]s$/.test(script)) {
    const hook = `export async function resolve(name, context, next) {
      return next(name, context.parentURL === ${JSON.stringify(there)} ? { ...context, parentURL: ${JSON.stringify(here)} } : context);
    }`;
    Module.register('data:text/javascript,' + encodeURIComponent(hook));
  }
}
"#;

/// Turns TypeScript into JavaScript with the user's own compiler, then runs it.
const TRANSPILE: &str = r#"'use strict';
const fs = require('node:fs');
const [, , library, from, to] = process.argv;
const ts = require(library);
const { outputText, diagnostics } = ts.transpileModule(fs.readFileSync(from, 'utf8'), {
  fileName: from,
  reportDiagnostics: true,
  compilerOptions: { module: ts.ModuleKind[to.endsWith('.mjs') ? 'ESNext' : 'CommonJS'], target: ts.ScriptTarget.ES2022, removeComments: false },
});
for (const d of diagnostics) {
  const at = d.file ? d.file.getLineAndCharacterOfPosition(d.start).line + 1 : 0;
  console.error(`script:${at}: ${ts.flattenDiagnosticMessageText(d.messageText, '\n')}`);
}
if (diagnostics.length) process.exit(2);
fs.writeFileSync(to, outputText);
"#;

/// Bun and Deno know `require` and TypeScript by themselves.
const PRELOAD: &str = "import fs from 'node:fs';\nimport process from 'node:process';\n";

pub(super) fn plan(shop: &Workshop<'_>) -> io::Result<Plan> {
    let typescript = shop.runtime.language == Language::TypeScript;
    let module = is_module(shop.code);
    let code = if module { shop.code.to_owned() } else { as_function(shop.code) };
    match shop.runtime.kind {
        RuntimeKind::Bun => {
            let preload = shop.write("preload.mjs", format!("{PRELOAD}{FILE_GLOBALS}"))?;
            let script = shop.write(if typescript { "script.ts" } else { "script.js" }, shop.code)?;
            let mut plan = shop.just(vec!["run".into(), "--preload".into(), preload.into(), script.into()]);
            plan.env.push(node_path(shop));
            Ok(plan)
        }
        RuntimeKind::Deno => {
            shop.write("preload.mjs", format!("{PRELOAD}{FILE_GLOBALS}"))?;
            let name = if typescript { "script.mts" } else { "script.mjs" };
            shop.write(name, shop.code)?;
            let start = "import { createRequire } from 'node:module';\nglobalThis.require ??= \
                         createRequire(process.cwd() + '/script.js');\n";
            let main = format!(
                "import process from 'node:process';\nimport './preload.mjs';\n{start}await import('./{name}');\n"
            );
            let main = shop.write("main.mjs", main)?;
            let options = ["run", "--allow-all", "--quiet", "--no-lock", "--no-config"];
            let mut args: Vec<OsString> = options.iter().map(Into::into).collect();
            args.push(main.into());
            Ok(shop.just(args))
        }
        RuntimeKind::Tsx | RuntimeKind::TsNode => {
            let name = if module { "script.mts" } else { "script.cts" };
            let script = shop.write(name, code)?;
            let mut plan = shop.just(vec![script.clone().into()]);
            if let (RuntimeKind::TsNode, Some(step)) = (shop.runtime.kind, plan.steps.first_mut()) {
                step.args.insert(0, "--transpile-only".into());
            }
            with_preload(shop, &mut plan, script.into(), true)?;
            Ok(plan)
        }
        RuntimeKind::NodeWithTypescript => {
            let library = shop.runtime.companion.clone().unwrap_or_default();
            let source = shop.write(if module { "source.mts" } else { "source.cts" }, code)?;
            let script = shop.path(if module { "script.mjs" } else { "script.cjs" });
            let transpile = shop.write("transpile.cjs", TRANSPILE)?;
            let mut compile = shop.runtime_step(vec![
                transpile.into(),
                library.into(),
                source.into(),
                script.clone().into(),
            ]);
            compile.in_temp = true;
            let mut plan = shop.just(vec![script.clone().into()]);
            with_preload(shop, &mut plan, script.into(), false)?;
            plan.steps.insert(0, compile);
            Ok(plan)
        }
        kind => {
            let ending = match (typescript, module) {
                (false, true) => "mjs",
                (false, false) => "cjs",
                (true, true) => "mts",
                (true, false) => "cts",
            };
            let script = shop.write(&format!("script.{ending}"), code)?;
            let mut args: Vec<OsString> = vec![script.clone().into()];
            if kind == RuntimeKind::NodeStripTypes {
                args.insert(0, "--experimental-strip-types".into());
                args.insert(1, "--disable-warning=ExperimentalWarning".into());
            }
            let mut plan = shop.just(args);
            with_preload(shop, &mut plan, script.into(), false)?;
            Ok(plan)
        }
    }
}

/// Has the last step load our small file first: by an argument, or by NODE_OPTIONS where the program only starts Node in its turn.
fn with_preload(shop: &Workshop<'_>, plan: &mut Plan, script: OsString, by_env: bool) -> io::Result<()> {
    let preload = shop.write("preload.cjs", format!("{NODE_PRELOAD}{FILE_GLOBALS}"))?;
    plan.env.push(("PLIMSOLL_SCRIPT".into(), script));
    if by_env {
        let quoted = preload.to_string_lossy().replace('\\', "\\\\");
        plan.env.push(("NODE_OPTIONS".into(), format!("--require \"{quoted}\"").into()));
    } else if let Some(step) = plan.steps.last_mut() {
        step.args.insert(0, "--require".into());
        step.args.insert(1, preload.into());
    }
    Ok(())
}

/// Whether the code needs to be an ES module.
fn is_module(code: &str) -> bool {
    has_line_starting(code, &["import ", "import{", "import*", "import\"", "import'", "export "])
        || code.contains("import.meta")
}

/// `await` at the top level is what people write; a script that is no module has to be a function for that.
fn as_function(code: &str) -> String {
    if super::mentions(code, "await") { format!("(async () => {{ {code}\n}})();\n") } else { code.to_owned() }
}

/// The module folders of the working folder and those above it.
fn node_path(shop: &Workshop<'_>) -> (OsString, OsString) {
    let own = shop.env.iter().find(|(name, _)| name == "NODE_PATH").map(|(_, value)| value);
    let dirs = shop
        .cwd
        .ancestors()
        .map(|dir| dir.join("node_modules"))
        .filter(|dir| dir.is_dir())
        .chain(own.into_iter().flat_map(|value| std::env::split_paths(value)));
    ("NODE_PATH".into(), std::env::join_paths(dirs).unwrap_or_default())
}
