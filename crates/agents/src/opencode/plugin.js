// @OWNED@
// Plimsoll for OpenCode: hands each event to the sidecar and applies its answer. Whatever goes wrong, OpenCode goes on
// as if this file were not here. `plimsoll disconnect opencode` removes it.
import { spawn } from "node:child_process"
const SIDECAR = "@LAUNCHER@", DEADLINE_MS = 2000, NOTHING = {}
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value)
// The user's plugins and the project's may both have this file: the first one loaded for a folder serves it.
const serving = (globalThis[Symbol.for("plimsoll.serving")] ??= new Map()), here = import.meta.url.split("?")[0]
const isSecond = (directory) => serving.has(directory) ? serving.get(directory) !== here : (serving.set(directory, here), false)
const ask = (payload) => new Promise((resolve) => {
  let child, timer, chunks = []
  const done = (answer) => { clearTimeout(timer); resolve(isObject(answer) ? answer : NOTHING) }
  try {
    child = spawn(SIDECAR, ["hook", "opencode"], { cwd: payload.directory, stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
    timer = setTimeout(() => { child.kill("SIGKILL"); done() }, DEADLINE_MS)
    child.on("error", () => done())
    child.stdin.on("error", () => {})
    child.stdout.on("data", (chunk) => chunks.push(chunk))
    // What a sidecar printed before it failed is no answer.
    child.on("close", (code) => { try { done(code === 0 && JSON.parse(Buffer.concat(chunks).toString("utf8"))) } catch { done() } })
    child.stdin.end(JSON.stringify({ host: "opencode", ...payload }))
  } catch { done() }
})
const parents = new Map() // child session -> its parent
const starts = new Map() // session -> promise of the text its system prompt carries
const created = new Set() // sessions that began under this process; any other one is taken up again
class Denied extends Error {} // nothing else is ever thrown: an event of another shape must not fail what the user does
const calm = (hook) => async (...given) => { try { return await hook(...given) } catch (error) { if (error instanceof Denied) throw error } }
const calmed = (hooks) => Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, calm(hook)]))
const put = (object, entries) => {
  for (const key of Object.keys(object)) if (!(key in entries)) delete object[key]
  Object.assign(object, entries)
}
const textOf = (output) => typeof output?.output === "string" ? output.output
  : (output?.content ?? []).filter((part) => part.type === "text").map((part) => part.text).join("\n")
const startText = (directory, session, source) => {
  if (!starts.has(session)) {
    if (starts.size > 200) starts.delete(starts.keys().next().value)
    starts.set(session, ask({ event: "session.start", session, directory, source, parent: parents.get(session) }).then((answer) => answer.context))
  }
  return starts.get(session)
}
const before = async (directory, tool, session, callID, args) => {
  const answer = await ask({ event: "tool.execute.before", session, directory, tool, callID, args, parent: parents.get(session) })
  if (typeof answer.deny === "string") throw new Denied(answer.deny)
  if (isObject(answer.args) && isObject(args)) put(args, answer.args)
}
const after = async (directory, tool, session, callID, args, output) => {
  if (!output) return
  const failed = output.isError === true || (Number.isInteger(output.metadata?.exit) && output.metadata.exit !== 0)
  const text = textOf(output)
  const answer = await ask({ event: "tool.execute.after", session, directory, tool, callID, args, parent: parents.get(session),
    output: { text, failed, exit: output.metadata?.exit, mcp: Array.isArray(output.content), full: output.metadata?.outputPath } })
  if (typeof answer.output !== "string" && typeof answer.context !== "string") return
  const shown = answer.output ?? `${text}\n${answer.context}`
  // A result of an MCP server is read from `content`, a built-in tool's from `output`; nothing but text is ever replaced.
  if (Array.isArray(output.content)) output.content = [{ type: "text", text: shown }, ...output.content.filter((part) => part.type !== "text")]
  else if (typeof output.output === "string") output.output = shown
}
// Requests for a title or a summary carry another system prompt: they get nothing of ours.
const isAside = (system) => /title generator|summari[sz]ation agent|summari[sz]\w+[^.]{0,60}conversation/i.test(String(system?.[0] ?? "").slice(0, 400))
export default {
  id: "plimsoll",
  // OpenCode 1.x
  server: async ({ directory }) => isSecond(directory) ? {} : calmed({
    event: async ({ event }) => {
      const session = event?.properties?.sessionID ?? event?.properties?.info?.id
      const parent = event?.properties?.info?.parentID
      if (event?.type === "session.created") { parent ? parents.set(session, parent) : created.add(session) }
      if (event?.type === "session.compacted") { starts.delete(session); await startText(directory, session, "compact") }
      if (event?.type === "session.idle" || event?.type === "session.deleted") await ask({ event: event.type, session, directory, parent: parents.get(session) })
    },
    "chat.message": async (input, output) => {
      const said = (output?.parts ?? []).filter((part) => part.type === "text" && !part.synthetic)
      const answer = await ask({ event: "chat.message", session: input.sessionID, directory, prompt: said.map((part) => part.text).join("\n"), model: input.model?.modelID, parent: parents.get(input.sessionID) })
      if (answer.context && said.length) output.parts.push({ ...said.at(-1), id: `${said.at(-1).id}p`, text: answer.context, synthetic: true }) // for the model, not shown
    },
    "tool.execute.before": (input, output) => before(directory, input.tool, input.sessionID, input.callID, output.args),
    "tool.execute.after": (input, output) => after(directory, input.tool, input.sessionID, input.callID, input.args, output),
    "experimental.chat.system.transform": async (input, output) => {
      const text = input?.sessionID && !isAside(output.system) && await startText(directory, input.sessionID, created.has(input.sessionID) || parents.has(input.sessionID) ? "startup" : "resume")
      if (text) output.system.push(text)
    },
    "experimental.session.compacting": async (input, output) => {
      const answer = await ask({ event: "session.compacting", session: input.sessionID, directory, parent: parents.get(input.sessionID) })
      if (answer.context) output.context.push(answer.context)
    },
  }),
  // OpenCode 2.x
  setup: calm(async (context) => {
    const directory = context.location?.directory ?? process.cwd()
    if (isSecond(directory)) return
    await context.tool?.hook?.("execute.before", calm((e) => before(directory, e.tool, e.sessionID, e.callID, e.input)))
    await context.tool?.hook?.("execute.after", calm((e) => after(directory, e.tool, e.sessionID, e.callID, e.input, e.output ?? e)))
    await context.session?.hook?.("context", calm(async (e) => {
      const text = await startText(directory, e.sessionID, "startup")
      if (text) e.system?.push({ type: "text", text })
    }))
  }),
}
