-- The ledger names the filter and the tokens of a call, and its sums are kept beside its rows.

ALTER TABLE ledger ADD COLUMN filter TEXT NOT NULL DEFAULT '';
ALTER TABLE ledger ADD COLUMN tokens_raw INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ledger ADD COLUMN tokens_returned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ledger ADD COLUMN tokenizer TEXT NOT NULL DEFAULT '';
UPDATE ledger SET
  tokens_raw = raw_bytes / 4 + (raw_bytes % 4 > 0),
  tokens_returned = returned_bytes / 4 + (returned_bytes % 4 > 0),
  tokenizer = 'plimsoll-4b';

-- What the tool list of a session costs at each turn, and how many turns (prompts) there were.
ALTER TABLE sessions ADD COLUMN turns INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN list_bytes INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET turns = (SELECT count(*) FROM events e
  WHERE e.agent = sessions.agent AND e.session = sessions.session AND e.kind = 'prompt');

-- What a sum is about. `part` 0 is a whole combination; the others name one thing and leave the rest empty:
-- 1 everything, 2 an agent, 3 a project, 4 a tool, 5 a filter, 6 a tokenizer, 7 (in `tool`) a decision of hooks.
CREATE TABLE ledger_keys (
  id INTEGER PRIMARY KEY,
  part INTEGER NOT NULL,
  agent TEXT NOT NULL,
  project TEXT NOT NULL,
  tool TEXT NOT NULL,
  filter TEXT NOT NULL,
  class INTEGER NOT NULL,
  tokenizer TEXT NOT NULL,
  UNIQUE (part, agent, project, tool, filter, class, tokenizer)
);

-- Sums of one key over one stretch of time. `id` is span * 2^60 + stretch * 2^28 + key, so that a stretch of time
-- is a range of rows: span 0 is a combination or a decision in a quarter of an hour, 1 everything in a quarter of
-- an hour, 2 a part on a day (of UTC), 3 a part in 32 days, 4 everything in an hour.
CREATE TABLE ledger_sums (
  id INTEGER PRIMARY KEY,
  calls INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  raw_bytes INTEGER NOT NULL,
  returned_bytes INTEGER NOT NULL,
  measured_bytes INTEGER NOT NULL,
  estimated_bytes INTEGER NOT NULL,
  overhead_bytes INTEGER NOT NULL,
  elapsed_us INTEGER NOT NULL,
  measured_tokens INTEGER NOT NULL,
  estimated_tokens INTEGER NOT NULL
);

-- What there is already, by quarter of an hour: rows, days whose rows are gone (each split by what it knows: a
-- day of several classes was one row), and events. `total` rather than `sum`: it never overflows.
CREATE TABLE ledger_moved AS
  SELECT min(max(at_ms, 0), 3865470565500000) / 900000 AS quarter, 0 AS part, agent, project, tool, class,
    tool NOT IN ('tool list', 'hook', 'note') AS calls, NOT ok AS failed, raw_bytes, returned_bytes,
    CASE WHEN ok AND class = 1 THEN raw_bytes - returned_bytes ELSE 0 END AS measured_bytes,
    CASE WHEN ok AND class = 2 THEN raw_bytes - returned_bytes ELSE 0 END AS estimated_bytes,
    overhead_bytes, elapsed_us,
    CASE WHEN ok AND class = 1 THEN tokens_raw - tokens_returned ELSE 0 END AS estimated_tokens
  FROM ledger
  UNION ALL
  SELECT min(max(day_ms, 0), 3865470565500000) / 900000, 0, agent, project, tool, 0,
    CASE WHEN tool IN ('tool list', 'hook', 'note') THEN 0 ELSE calls END, failed, raw_bytes, returned_bytes,
    0, 0, overhead_bytes, elapsed_us, 0
  FROM ledger_days
  UNION ALL
  SELECT min(max(day_ms, 0), 3865470565500000) / 900000, 0, agent, project, tool, 1, 0, 0, 0, 0,
    measured_bytes, 0, 0, 0, measured_bytes / 4
  FROM ledger_days WHERE measured_bytes <> 0
  UNION ALL
  SELECT min(max(day_ms, 0), 3865470565500000) / 900000, 0, agent, project, tool, 2, 0, 0, 0, 0,
    0, estimated_bytes, 0, 0, 0
  FROM ledger_days WHERE estimated_bytes <> 0
  UNION ALL
  SELECT min(max(at_ms, 0), 3865470565500000) / 900000, 7, '', '', decision, 0, 1, 0, 0, 0, 0, 0, 0, elapsed_us, 0
  FROM events;

INSERT INTO ledger_keys (part, agent, project, tool, filter, class, tokenizer)
  SELECT DISTINCT part, agent, project, tool, '', class, CASE part WHEN 0 THEN 'plimsoll-4b' ELSE '' END
    FROM ledger_moved
  UNION SELECT 1, '', '', '', '', 0, '' FROM ledger_moved WHERE part = 0
  UNION SELECT 2, agent, '', '', '', 0, '' FROM ledger_moved WHERE part = 0
  UNION SELECT 3, '', project, '', '', 0, '' FROM ledger_moved WHERE part = 0
  UNION SELECT 4, '', '', tool, '', 0, '' FROM ledger_moved WHERE part = 0
  UNION SELECT 6, '', '', '', '', 0, 'plimsoll-4b' FROM ledger_moved WHERE part = 0;

CREATE TABLE ledger_placed AS
  SELECT m.*, whole.id AS whole_key, every.id AS every_key, a.id AS agent_key, p.id AS project_key,
    t.id AS tool_key, z.id AS tokenizer_key
  FROM ledger_moved m
  JOIN ledger_keys whole ON whole.part = m.part AND whole.agent = m.agent AND whole.project = m.project
    AND whole.tool = m.tool AND whole.class = m.class
  LEFT JOIN ledger_keys every ON m.part = 0 AND every.part = 1
  LEFT JOIN ledger_keys a ON m.part = 0 AND a.part = 2 AND a.agent = m.agent
  LEFT JOIN ledger_keys p ON m.part = 0 AND p.part = 3 AND p.agent = '' AND p.project = m.project
  LEFT JOIN ledger_keys t ON m.part = 0 AND t.part = 4 AND t.agent = '' AND t.project = '' AND t.tool = m.tool
  LEFT JOIN ledger_keys z ON m.part = 0 AND z.part = 6;

INSERT INTO ledger_sums (id, calls, failed, raw_bytes, returned_bytes, measured_bytes, estimated_bytes,
    overhead_bytes, elapsed_us, measured_tokens, estimated_tokens)
  SELECT place.id, CAST(total(calls) AS INTEGER), CAST(total(failed) AS INTEGER),
    CAST(total(raw_bytes) AS INTEGER), CAST(total(returned_bytes) AS INTEGER),
    CAST(total(measured_bytes) AS INTEGER), CAST(total(estimated_bytes) AS INTEGER),
    CAST(total(overhead_bytes) AS INTEGER), CAST(total(elapsed_us) AS INTEGER), 0,
    CAST(total(estimated_tokens) AS INTEGER)
  FROM (
    SELECT quarter * 268435456 + whole_key AS id, m.* FROM ledger_placed m
    UNION ALL SELECT 1152921504606846976 + quarter * 268435456 + every_key, m.* FROM ledger_placed m
    UNION ALL SELECT 4611686018427387904 + quarter / 4 * 268435456 + every_key, m.* FROM ledger_placed m
    UNION ALL SELECT 2305843009213693952 + quarter / 96 * 268435456 + every_key, m.* FROM ledger_placed m
    UNION ALL SELECT 2305843009213693952 + quarter / 96 * 268435456 + agent_key, m.* FROM ledger_placed m
    UNION ALL SELECT 2305843009213693952 + quarter / 96 * 268435456 + project_key, m.* FROM ledger_placed m
    UNION ALL SELECT 2305843009213693952 + quarter / 96 * 268435456 + tool_key, m.* FROM ledger_placed m
    UNION ALL SELECT 2305843009213693952 + quarter / 96 * 268435456 + tokenizer_key, m.* FROM ledger_placed m
    UNION ALL SELECT 2305843009213693952 + quarter / 96 * 268435456 + whole_key, m.* FROM ledger_placed m
      WHERE part = 7
    UNION ALL SELECT 3458764513820540928 + quarter / 3072 * 268435456 + every_key, m.* FROM ledger_placed m
    UNION ALL SELECT 3458764513820540928 + quarter / 3072 * 268435456 + agent_key, m.* FROM ledger_placed m
    UNION ALL SELECT 3458764513820540928 + quarter / 3072 * 268435456 + project_key, m.* FROM ledger_placed m
    UNION ALL SELECT 3458764513820540928 + quarter / 3072 * 268435456 + tool_key, m.* FROM ledger_placed m
    UNION ALL SELECT 3458764513820540928 + quarter / 3072 * 268435456 + tokenizer_key, m.* FROM ledger_placed m
    UNION ALL SELECT 3458764513820540928 + quarter / 3072 * 268435456 + whole_key, m.* FROM ledger_placed m
      WHERE part = 7
  ) AS place WHERE place.id IS NOT NULL GROUP BY place.id;

DROP TABLE ledger_placed;
DROP TABLE ledger_moved;
DROP TABLE ledger_days;
