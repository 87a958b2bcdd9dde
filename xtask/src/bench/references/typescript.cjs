// Asks TypeScript's language service where definitions are used: `node typescript.cjs TYPESCRIPT ROOT` with a list of
// [path, line, column] (from 1, in bytes) on its input; prints for each the list of places, in the same form.
const ts = require(process.argv[2]);
const path = require("path");
const root = require("fs").realpathSync(process.argv[3]);
const asked = JSON.parse(require("fs").readFileSync(0, "utf8"));
const parsed = ts.getParsedCommandLineOfConfigFile(path.join(root, "tsconfig.json"), {}, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic() {},
});
const read = (file) => (ts.sys.fileExists(file) ? ts.sys.readFile(file) : undefined);
const service = ts.createLanguageService({
  getScriptFileNames: () => parsed.fileNames,
  getScriptVersion: () => "1",
  getScriptSnapshot: (file) => {
    const text = read(file);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => root,
  getCompilationSettings: () => parsed.options,
  getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
});
const texts = new Map();
const lines = (file) => {
  if (!texts.has(file)) {
    const text = read(file) ?? "";
    const starts = [0];
    for (let i = 0; i < text.length; i++) if (text[i] === "\n") starts.push(i + 1);
    texts.set(file, { text, starts });
  }
  return texts.get(file);
};
const answers = asked.map(([name, line, column]) => {
  const file = path.join(root, name);
  const { text, starts } = lines(file);
  const start = starts[line - 1];
  let at = start;
  while (Buffer.byteLength(text.slice(start, at)) < column - 1) at++;
  return (service.getReferencesAtPosition(file, at) ?? []).map((found) => {
    const { text, starts } = lines(found.fileName);
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= found.textSpan.start) low = middle;
      else high = middle;
    }
    const before = Buffer.byteLength(text.slice(starts[low], found.textSpan.start));
    return [path.relative(root, found.fileName), low + 1, before + 1];
  });
});
process.stdout.write(JSON.stringify(answers));
