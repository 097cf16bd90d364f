import type { Case } from "./case.ts";
import { graphCases } from "./graph.ts";
import { langchainCases } from "./langchain.ts";
import { plainCases } from "./plain.ts";
import { richCases } from "./rich.ts";

export type { Case } from "./case.ts";
export const cases: Case[] = [...plainCases, ...richCases, ...graphCases, ...langchainCases];
