//! JavaScript and TypeScript, on Bun, Deno, Node, tsx and ts-node.
//!
//! The script is in a temporary folder but behaves as if it were in the working folder: modules and relative imports resolve
//! there. On Node a small preloaded file does that.

use std::ffi::OsString;
use std::io;

use super::{Plan, ScriptContext, has_line_starting};
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

/// Resolves the script's imports from the working folder, and gives ES modules `require`.
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

/// Compiles TypeScript with the user's own compiler, then runs it.
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

/// Bun and Deno support `require` and TypeScript natively.
const PRELOAD: &str = "import fs from 'node:fs';\nimport process from 'node:process';\n";

pub(super) fn plan(context: &ScriptContext<'_>) -> io::Result<Plan> {
    let typescript = context.runtime.language == Language::TypeScript;
    let module = is_module(context.code);
    let code = if module { context.code.to_owned() } else { as_function(context.code) };
    match context.runtime.kind {
        RuntimeKind::Bun => {
            let preload = context.write("preload.mjs", format!("{PRELOAD}{FILE_GLOBALS}"))?;
            let script = context.write(if typescript { "script.ts" } else { "script.js" }, context.code)?;
            let mut plan =
                context.single_step(vec!["run".into(), "--preload".into(), preload.into(), script.into()]);
            plan.env.push(node_path(context));
            Ok(plan)
        }
        RuntimeKind::Deno => {
            context.write("preload.mjs", format!("{PRELOAD}{FILE_GLOBALS}"))?;
            let name = if typescript { "script.mts" } else { "script.mjs" };
            context.write(name, context.code)?;
            let start = "import { createRequire } from 'node:module';\nglobalThis.require ??= \
                         createRequire(process.cwd() + '/script.js');\n";
            let main = format!(
                "import process from 'node:process';\nimport './preload.mjs';\n{start}await import('./{name}');\n"
            );
            let main = context.write("main.mjs", main)?;
            let options = ["run", "--allow-all", "--quiet", "--no-lock", "--no-config"];
            let mut args: Vec<OsString> = options.iter().map(Into::into).collect();
            args.push(main.into());
            Ok(context.single_step(args))
        }
        RuntimeKind::Tsx | RuntimeKind::TsNode => {
            let name = if module { "script.mts" } else { "script.cts" };
            let script = context.write(name, code)?;
            let mut plan = context.single_step(vec![script.clone().into()]);
            if let (RuntimeKind::TsNode, Some(step)) = (context.runtime.kind, plan.steps.first_mut()) {
                step.args.insert(0, "--transpile-only".into());
            }
            with_preload(context, &mut plan, script.into(), true)?;
            Ok(plan)
        }
        RuntimeKind::NodeWithTypescript => {
            let library = context.runtime.companion.clone().unwrap_or_default();
            let source = context.write(if module { "source.mts" } else { "source.cts" }, code)?;
            let script = context.path(if module { "script.mjs" } else { "script.cjs" });
            let transpile = context.write("transpile.cjs", TRANSPILE)?;
            let mut compile = context.runtime_step(vec![
                transpile.into(),
                library.into(),
                source.into(),
                script.clone().into(),
            ]);
            compile.in_temp = true;
            let mut plan = context.single_step(vec![script.clone().into()]);
            with_preload(context, &mut plan, script.into(), false)?;
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
            let script = context.write(&format!("script.{ending}"), code)?;
            let mut args: Vec<OsString> = vec![script.clone().into()];
            if kind == RuntimeKind::NodeStripTypes {
                args.insert(0, "--experimental-strip-types".into());
                args.insert(1, "--disable-warning=ExperimentalWarning".into());
            }
            let mut plan = context.single_step(args);
            with_preload(context, &mut plan, script.into(), false)?;
            Ok(plan)
        }
    }
}

/// Preloads the small file in the last step: by an argument, or by NODE_OPTIONS if the program only starts Node itself.
fn with_preload(
    context: &ScriptContext<'_>,
    plan: &mut Plan,
    script: OsString,
    by_env: bool,
) -> io::Result<()> {
    let preload = context.write("preload.cjs", format!("{NODE_PRELOAD}{FILE_GLOBALS}"))?;
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

/// Top-level `await` is common; a script that isn't a module must become a function for that.
fn as_function(code: &str) -> String {
    if super::mentions(code, "await") { format!("(async () => {{ {code}\n}})();\n") } else { code.to_owned() }
}

/// The module folders of the working folder and its parents.
fn node_path(context: &ScriptContext<'_>) -> (OsString, OsString) {
    let own = context.env.iter().find(|(name, _)| name == "NODE_PATH").map(|(_, value)| value);
    let dirs = context
        .cwd
        .ancestors()
        .map(|dir| dir.join("node_modules"))
        .filter(|dir| dir.is_dir())
        .chain(own.into_iter().flat_map(|value| std::env::split_paths(value)));
    ("NODE_PATH".into(), std::env::join_paths(dirs).unwrap_or_default())
}
