/** The cost of authentication: reads of one workspace with cached credentials, as a ratio to an anonymous `/livez`. */
import { percentile } from './percentile.ts';
import { authorization, type ServerChild } from './server-child.ts';
import { requestsPerSecond } from './throughput.ts';

const ROUNDS = 11;
const SECONDS = 2;

export interface LoginCost {
  readonly microsecondsWithLogin: number;
  readonly microsecondsWithout: number;
  readonly ratio: number;
}

/**
 * Short alternating rounds, so that both see the same machine load, compared within each round; all three are medians.
 */
export async function measureLogin(server: ServerChild, path: string): Promise<LoginCost> {
  const rounds: LoginCost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const microsecondsWithout = 1e6 / (await requestsPerSecond(`${server.origin}/livez`, {}, SECONDS));
    const microsecondsWithLogin =
      1e6 / (await requestsPerSecond(`${server.restUrl}${path}`, { authorization }, SECONDS));
    rounds.push({ microsecondsWithLogin, microsecondsWithout, ratio: microsecondsWithLogin / microsecondsWithout });
  }
  const median = (of: keyof LoginCost) =>
    percentile(
      rounds.map((each) => each[of]),
      0.5,
    );
  return {
    microsecondsWithLogin: median('microsecondsWithLogin'),
    microsecondsWithout: median('microsecondsWithout'),
    ratio: median('ratio'),
  };
}
