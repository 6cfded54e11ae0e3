import type { Command, CommandInput, CommandMethod } from './command.ts';
import type { PathParameters } from './route.ts';

/** Names a write of the route table; the result creates its commands. */
export function defineCommand<P extends string>(
  method: CommandMethod,
  pattern: P,
): (params: PathParameters<P>, input?: CommandInput) => Command {
  return (params, input) => ({ method, pattern, params: params as Command['params'], ...input });
}
