/**
 * Connections that stay open for further requests, for files that are read in ranges. A connection is used again only
 * for the same host and only if its addresses were decided again, so a changed decision never uses an old connection.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { PlainUrl } from './plain-url.ts';
import type { ResolvedAddress } from './resolver.ts';

/** Shorter than the usual idle timeouts of servers, which end connections without notice. */
const IDLE_MS = 4_000;

/** Idle connections of one host: as many as one reading uses at the same time. */
const MAX_IDLE_PER_HOST = 4;

/** The number of hosts with kept connections. */
const MAX_HOSTS = 64;

type Agent = HttpAgent | HttpsAgent;

export class KeptConnections {
  /** In the order of their last use. */
  readonly #agents = new Map<string, Agent>();

  getAgent(
    { scheme, host, port }: Pick<PlainUrl, 'scheme' | 'host' | 'port'>,
    decided: readonly ResolvedAddress[],
  ): Agent {
    const addresses = decided.map(({ address }) => address).sort();
    const key = [scheme, host, port, ...addresses].join('\n');
    const known = this.#agents.get(key);
    const options = { keepAlive: true, maxFreeSockets: MAX_IDLE_PER_HOST, timeout: IDLE_MS };
    const agent = known ?? (scheme === 'https' ? new HttpsAgent(options) : new HttpAgent(options));
    this.#agents.delete(key);
    this.#agents.set(key, agent);
    if (this.#agents.size > MAX_HOSTS) this.#removeOldest();
    return agent;
  }

  /** Its idle connections end after the idle time. */
  #removeOldest(): void {
    const [oldest] = this.#agents;
    if (oldest !== undefined) this.#agents.delete(oldest[0]);
  }
}
