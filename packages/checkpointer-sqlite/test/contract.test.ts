import Database from "better-sqlite3";
import { saverContract } from "./contract/saver-contract.ts";

saverContract("better-sqlite3", (file) => new Database(file));
