/** Provides access to the private LDAP directory that all files of the run share. */
import { beforeAll } from 'vitest';
import { askForService, SERVICE_START_DEADLINE_MS } from './services/ask-for-service.ts';
import type { SlapdServer } from './services/slapd.ts';
import { describeWithTool } from './with-tool.ts';

/** `slapd()` is usable inside hooks and tests; the server does not exist yet while tests are being collected. */
export function describeWithSlapd(title: string, body: (slapd: () => SlapdServer) => void): void {
  describeWithTool('slapd', title, () => {
    let server: SlapdServer | undefined;
    beforeAll(async () => {
      server = await askForService('slapd');
    }, SERVICE_START_DEADLINE_MS);

    body(() => {
      if (server === undefined) throw new Error('the directory exists only inside hooks and tests');
      return server;
    });
  });
}
