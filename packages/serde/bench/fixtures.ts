/** Agent states like real ones, the same at every run: seeded text of word-like syllables, random ids. */
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";

type Random = () => number;

const SYLLABLES =
  "ra to ne li mo ka se du vi po an er in th st qu ou al en re co de pro tion ment ing able".split(
    " ",
  );
const BEYOND_ASCII = ["café", "naïve", "数据", "größe", "✅", "🚀", "—"];
const TOOLS = ["search_web", "read_file", "run_sql", "send_email", "get_weather"];

/** A conversation with tool calls and their results. */
export function messages(count: number, seed = 7): BaseMessage[] {
  const random = generator(seed);
  const text = texter(random);
  const out: BaseMessage[] = [new SystemMessage({ content: text(900), id: uuid(random) })];
  while (out.length < count) {
    out.push(new HumanMessage({ content: text(80 + below(random, 420)), id: uuid(random) }));
    const calls = Array.from({ length: 1 + below(random, 2) }, () => toolCall(random, text));
    out.push(answer(random, random() < 0.5 ? "" : text(60), calls));
    for (const call of calls) out.push(toolResult(random, text, call));
    out.push(answer(random, text(150 + below(random, 900)), []));
  }
  return out.slice(0, count);
}

/** The same messages as JSON has them. */
export function plainMessages(count: number): unknown {
  return JSON.parse(JSON.stringify(messages(count))) as unknown;
}

/** A megabyte of bytes. */
export function binaryState(seed = 11): object {
  const random = generator(seed);
  const embedding = new Uint8Array(1 << 20);
  for (let i = 0; i < embedding.length; i++) embedding[i] = below(random, 256);
  return { embedding };
}

/** Maps, sets, dates and numbers. */
export function richState(seed = 11): object {
  const random = generator(seed);
  const text = texter(random);
  const docs = new Map(
    Array.from({ length: 100 }, (_, i) => [
      `doc-${hex(random, 8)}`,
      {
        title: text(50),
        fetchedAt: new Date(1.7e12 + below(random, 1e9)),
        tags: new Set([`a${i % 7}`, `b${i % 3}`]),
        score: random(),
        chunks: [text(200), text(200)],
      },
    ]),
  );
  const deadlines = Array.from(
    { length: 100 },
    () => new Date(1.7e12 + Math.floor(random() * 1e10)),
  );
  return {
    docs,
    deadlines,
    counters: new Map([
      [1, "x"],
      [2, "y"],
    ]),
    step: 42,
  };
}

/** About a kilobyte. */
export function smallState(seed = 5): object {
  const random = generator(seed);
  const text = texter(random);
  return {
    user: { id: uuid(random), name: "Ada", plan: "pro" },
    step: 3,
    todos: [
      { id: 1, text: text(40), done: false },
      { id: 2, text: text(40), done: true },
      { id: 3, text: text(40), done: false },
    ],
    scratch: text(380),
    flags: { a: true, b: false, c: null },
    score: 0.87,
    remaining: 17,
    thread: uuid(random),
    tags: ["x", "y", "z"],
    last: { tool: "search_web", ok: true, ms: 312 },
  };
}

interface Call {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly id: string;
  readonly type: "tool_call";
}

function toolCall(random: Random, text: (chars: number) => string): Call {
  return {
    name: TOOLS[below(random, TOOLS.length)] as string,
    args: {
      query: text(20 + below(random, 60)),
      limit: 1 + below(random, 50),
      filters: { lang: "en", since: `2025-0${1 + below(random, 8)}-11`, exact: random() < 0.5 },
    },
    id: `call_${hex(random, 24)}`,
    type: "tool_call",
  };
}

function answer(random: Random, content: string, calls: Call[]): AIMessage {
  const input = 200 + below(random, 9_000);
  const output = 10 + below(random, 700);
  return new AIMessage({
    content,
    id: `run-${uuid(random)}`,
    tool_calls: calls,
    invalid_tool_calls: [],
    additional_kwargs: {},
    response_metadata: {
      model_name: "gpt-4.1-mini-2025-04-14",
      finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      system_fingerprint: `fp_${hex(random, 10)}`,
    },
    usage_metadata: {
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      input_token_details: { cache_read: input >> 1, audio: 0 },
      output_token_details: { reasoning: 0 },
    },
  } as unknown as ConstructorParameters<typeof AIMessage>[0]);
}

function toolResult(random: Random, text: (chars: number) => string, call: Call): ToolMessage {
  const rows = Array.from({ length: 1 + below(random, 5) }, () => ({
    id: below(random, 1e6),
    title: text(40),
    score: Math.round(random() * 1e4) / 1e4,
    url: `https://example.com/${hex(random, 12)}`,
    snippet: text(90),
  }));
  return new ToolMessage({
    content: JSON.stringify({ rows, took_ms: below(random, 900) }),
    tool_call_id: call.id,
    name: call.name,
    id: uuid(random),
    status: "success",
  });
}

/** Words by how often words are used, so that the text compresses like prose. */
function texter(random: Random): (chars: number) => string {
  const words = Array.from({ length: 2_500 }, () =>
    Array.from(
      { length: 1 + below(random, 3) },
      () => SYLLABLES[below(random, SYLLABLES.length)],
    ).join(""),
  );
  return (chars) => {
    let text = "";
    while (text.length < chars) {
      const rare = random() < 0.012;
      const word = rare
        ? BEYOND_ASCII[below(random, BEYOND_ASCII.length)]
        : words[Math.floor(random() ** 2.2 * words.length)];
      text += `${text === "" ? "" : " "}${word}${random() < 0.08 ? "." : ""}`;
    }
    return text.slice(0, chars);
  };
}

function generator(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

function hex(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => below(random, 16).toString(16)).join("");
}

function uuid(random: Random): string {
  return `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`;
}
