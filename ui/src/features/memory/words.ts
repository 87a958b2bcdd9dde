// Memory's words: what the program calls things by short names, as people read them. A word of a newer program stays as it is.
import { t } from "../../i18n/index.svelte";
import { agentName } from "../names.svelte";

const STATUSES = ["active", "superseded", "archived", "pending", "tombstoned"] as const;
const SCOPES = ["project", "user", "org"] as const;
const TRUSTS = ["user", "agent", "repository", "untrusted"] as const;
const KINDS = ["Person", "Organization", "Technology", "Concept", "File"] as const;
const SOURCES = ["instructions", "agent_memory", "memory_server", "basic_memory", "subcog", "claude_mem", "commits"] as const;
const ROLES = ["reader", "writer", "admin"] as const;
/** A server's state as the program reports it, and the end of its key. */
const SERVER: Record<string, "reachable" | "unreachable" | "slow" | "refused" | "bare" | "version" | "failed"> = {
  reachable: "reachable",
  unreachable: "unreachable",
  slow: "slow",
  refused: "refused",
  "not set up": "bare",
  "wrong version": "version",
  failed: "failed",
};
const RELATIONS = ["WorksAt", "Created", "Uses", "Implements", "PartOf", "RelatesTo", "MentionedIn", "Supersedes", "ConflictsWith"] as const;
const NAMESPACES = ["decisions", "patterns", "learnings", "context", "tech-debt", "blockers", "progress", "apis", "config", "security", "performance", "testing"] as const;

const has = (list: readonly string[], word: string): boolean => list.includes(word);

export const statusName = (word: string): string => (has(STATUSES, word) ? t(`memory.status.${word as "active"}`) : word);
export const scopeName = (word: string): string => (has(SCOPES, word) ? t(`memory.scope.${word as "user"}`) : word);
export const trustName = (word: string): string => (has(TRUSTS, word) ? t(`memory.trust.${word as "user"}`) : word);
export const trustText = (word: string): string => (has(TRUSTS, word) ? t(`memory.trust.text.${word as "user"}`) : word);
/** What kind of thing can be imported. */
export const kindOfSource = (word: string): string => (has(SOURCES, word) ? t(`memory.import.kind.${word as "subcog"}`) : word);
export const roleName = (word: string): string => (has(ROLES, word) ? t(`memory.role.${word as "reader"}`) : word);
/** How the organisation's server is. */
export const serverState = (word: string): string => (SERVER[word] === undefined ? word : t(`memory.server.${SERVER[word]}`));
export const kindName = (word: string): string => (has(KINDS, word) ? t(`memory.kind.${word as "File"}`) : word);
export const relationName = (word: string): string => (has(RELATIONS, word) ? t(`memory.relation.${word as "Uses"}`) : word);
/** What belongs in a namespace, in the reader's language; the program's own English for one that is new. */
export const namespaceText = (word: string, about: string): string => (has(NAMESPACES, word) ? t(`memory.ns.${word as "decisions"}`) : about);

/** Who captured something. */
export const authorName = (agent: string | null): string => (agent === null || agent === "" ? t("memory.you") : agent === "repository" ? t("memory.repository") : agent === "team" ? t("memory.team") : agentName(agent));

export { KINDS, SCOPES, STATUSES, TRUSTS };
