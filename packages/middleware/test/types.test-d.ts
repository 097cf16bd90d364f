import { createAgent, fakeModel } from "langchain";
import { describe, expectTypeOf, it } from "vitest";
import { persistence, resource, untracked } from "../src/index.ts";
import { z } from "zod";

class Bash {
  run(command: string): string {
    return command;
  }
}

const shell = resource({ key: "shell", create: () => new Bash() });

describe("resource", () => {
  it("knows its object and its key", () => {
    expectTypeOf(shell.get({ configurable: { thread_id: "1" } })).resolves.toEqualTypeOf<Bash>();
    expectTypeOf(shell.key).toEqualTypeOf<"shell">();
  });

  it("takes an object's end in the object's type", () => {
    resource({
      key: "shell",
      create: () => new Bash(),
      dispose: (bash) => expectTypeOf(bash).toEqualTypeOf<Bash>() as never,
    });
    // @ts-expect-error -- a number is no live object
    resource({ key: "shell", create: () => 5 });
    // @ts-expect-error -- nothing to make it with
    resource({ key: "shell" });
    // @ts-expect-error -- a time is a number of milliseconds
    resource({ key: "shell", create: () => new Bash(), idleMs: "10s" });
    // @ts-expect-error -- no such option
    resource({ key: "shell", create: () => new Bash(), ttl: 5 });
  });
});

describe("persistence", () => {
  it("adds its resources to the agent's state", async () => {
    const agent = createAgent({
      model: fakeModel(),
      tools: [],
      middleware: [persistence({ resources: [shell] })],
    });
    const result = await agent.invoke({ messages: "hi" });
    expectTypeOf(result.shell).toEqualTypeOf<Bash | undefined>();
    expectTypeOf(result.messages).not.toBeAny();
  });

  it("leaves the state as it is without resources", async () => {
    const agent = createAgent({ model: fakeModel(), tools: [], middleware: [persistence()] });
    const result = await agent.invoke({ messages: "hi" });
    expectTypeOf(result.messages).not.toBeAny();
    // @ts-expect-error -- no such field
    void result.shell;
  });

  it("refuses wrong options", () => {
    // @ts-expect-error -- a resource is what resource() gives
    persistence({ resources: [{ key: "shell" }] });
    // @ts-expect-error -- strict or lenient
    persistence({ mode: "loose" });
    // @ts-expect-error -- no such option
    persistence({ resource: [shell] });
  });
});

describe("untracked", () => {
  it("keeps the field's type, and makes it optional", () => {
    const schema = z.object({ shell: untracked<Bash>(), other: untracked(z.string()) });
    expectTypeOf<z.infer<typeof schema>>().toEqualTypeOf<{
      shell?: Bash | undefined;
      other?: string | undefined;
    }>();
  });
});
