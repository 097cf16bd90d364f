import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, interrupt, ReducedValue, StateSchema } from "@langchain/langgraph";
import { SqliteSaver, withAllowlist } from "@threadkeep/checkpointer-sqlite";
import {
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  tool,
  type ToolRuntime,
} from "langchain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { untracked } from "../src/index.ts";

const SECRET = "secret-of-a-live-client-90dd";

class Client {
  readonly token: string = SECRET;
}

let folder: string;
const savers: SqliteSaver[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "threadkeep-placement-"));
});
afterEach(async () => {
  await Promise.all(savers.splice(0).map((saver) => saver.close()));
  rmSync(folder, { recursive: true, force: true });
});

function open(): SqliteSaver {
  const saver = SqliteSaver.fromConnString(join(folder, "t.db"));
  savers.push(saver);
  return saver;
}

function storedBytes(): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name)).toString("latin1"))
    .join("");
}

const schemas = {
  "zod object": (key: string) => z.object({ [key]: untracked<Client>() }),
  "zod object, described and nullable": (key: string) =>
    z.object({ [key]: untracked<Client>().describe("a client").nullable() }),
  "custom schema": (key: string) =>
    z.object({ [key]: untracked(z.custom<Client>((value) => value instanceof Client)) }),
  StateSchema: (key: string) => new StateSchema({ [key]: untracked<Client>() }),
  "with a reducer": (key: string) =>
    new StateSchema({
      [key]: new ReducedValue(untracked<Client>(), {
        reducer: (_old: unknown, fresh: unknown) => fresh as never,
      }),
    }),
};

describe.each(Object.entries(schemas))("untracked in a %s", (_name, schema) => {
  describe.each(["client", "_client"])("named %s", (key) => {
    it.each([
      ["the agent's schema", "agent", true],
      ["a middleware's schema, with hooks", "middleware", true],
      ["a middleware's schema, with wraps only", "middleware", false],
    ] as const)("in %s: reaches the run and leaves no byte", async (_place, place, hooks) => {
      const seen: unknown[] = [];
      const build = (): ReturnType<typeof createAgent> => {
        const use = tool(
          (_input, runtime: ToolRuntime) => {
            seen.push((runtime.state as Record<string, unknown>)[key]);
            return String(interrupt("?"));
          },
          { name: "use", description: "Use.", schema: z.object({}) },
        );
        const model = fakeModel();
        for (let i = 0; i < 4; i++) {
          model.respond((messages) =>
            messages.at(-1)?.type === "tool"
              ? new AIMessage("done")
              : new AIMessage({
                  content: "",
                  tool_calls: [{ name: "use", args: {}, id: "1", type: "tool_call" }],
                }),
          );
        }
        const update = { [key]: new Client() };
        const holder = createMiddleware({
          name: "Holder",
          ...(place === "middleware" ? { stateSchema: schema(key) as never } : {}),
          ...(hooks
            ? {
                beforeAgent: () => update as never,
                afterModel: (state: unknown) => (
                  seen.push((state as Record<string, unknown>)[key]),
                  undefined
                ),
              }
            : {
                wrapToolCall: (request: never, handler: (request: never) => never) =>
                  handler(request),
              }),
        } as never);
        return withAllowlist(
          createAgent({
            model,
            tools: [use],
            middleware: [holder] as never,
            ...(place === "agent" ? { stateSchema: schema(key) as never } : {}),
            checkpointer: open(),
          }) as never,
        );
      };
      const config = { configurable: { thread_id: "1" } };
      await build().invoke({ messages: "go" } as never, config);
      // Since langchain 1.4 a middleware's hooks see the fields of its own schema only.
      const live = seen.filter((value) => value instanceof Client);
      if (hooks) expect(live.length).toBeGreaterThanOrEqual(place === "agent" ? 1 : 2);
      expect(storedBytes().includes(SECRET)).toBe(false);
      const result = (await build().invoke(
        new Command({ resume: "resumed" }) as never,
        config,
      )) as { messages: { text: string }[] };
      expect(result.messages.map(({ text }) => text)).toContain("resumed");
      expect(storedBytes().includes(SECRET)).toBe(false);
    });
  });
});
