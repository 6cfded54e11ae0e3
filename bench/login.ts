/** What it costs to be somebody: reads of one workspace with remembered credentials, as a ratio to an anonymous `/livez`. */
import { authorization, type ServerChild } from './server-child.ts';
import { requestsPerSecond } from './throughput.ts';

const ROUNDS = 4;

export interface LoginCost {
  readonly microsecondsWithLogin: number;
  readonly microsecondsWithout: number;
}

/** Takes turns, so that both see the same moods of the machine; the best round of each counts. */
export async function measureLogin(server: ServerChild, path: string): Promise<LoginCost> {
  const withLogin: number[] = [];
  const without: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await requestsPerSecond(`${server.origin}/livez`, {}));
    withLogin.push(await requestsPerSecond(`${server.restUrl}${path}`, { authorization }));
  }
  return {
    microsecondsWithLogin: 1e6 / Math.max(...withLogin),
    microsecondsWithout: 1e6 / Math.max(...without),
  };
}
