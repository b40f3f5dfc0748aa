/** Entry of the engine worker. */
import { createEngine } from "../engine/engine.ts";
import { serve } from "./host.ts";
import type { Channel } from "./protocol.ts";

serve(globalThis as unknown as Channel, createEngine());
