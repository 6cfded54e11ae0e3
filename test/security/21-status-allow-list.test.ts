/** Lesson 21: the status shows allow-listed values only. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ADMIN_PASSWORD, startTestServer, type TestServer } from '../support/test-server.ts';

const CANARY_NAME = 'GRATICULE_TEST_CANARY_NAME';
const CANARY = 'canary-5d1f0c3b';

const addresses = [
  '/about/version',
  '/about/manifest',
  '/about/manifest?key=(',
  '/about/status',
  '/about/status/catalog',
  '/about/status/nothing',
  '/about/system-status',
  '/about/nothing',
  '//metrics',
];

describe.each(['graticule', 'geoserver'] as const)(
  'a server with secrets in its environment, in the dialect %s',
  (compat) => {
    let server: TestServer | undefined;

    beforeAll(async () => {
      vi.stubEnv(CANARY_NAME, CANARY);
      vi.stubEnv('DATABASE_PASSWORD', `password-${CANARY}`);
      vi.stubEnv('PATH', `${process.env['PATH']}:/opt/${CANARY}/bin`);
      server = await startTestServer({ compat });
    });
    afterAll(async () => {
      vi.unstubAllEnvs();
      await server?.close();
    });

    const cases = addresses.flatMap((address) => ['xml', 'json', 'html'].map((format) => [address, format] as const));

    it.each(cases)('shows neither the secrets nor its file paths at %s in %s', async (address, format) => {
      const [path, query] = address.split('?');
      const asked = address === '//metrics' ? address : `${path}.${format}${query === undefined ? '' : `?${query}`}`;

      const reply = await server?.get(asked);

      expect(reply?.text).toBeTruthy();
      const secrets = [
        CANARY,
        CANARY_NAME,
        'DATABASE_PASSWORD',
        ADMIN_PASSWORD,
        server?.dataDir,
        process.cwd(),
        process.execPath,
      ];
      for (const secret of secrets) {
        expect(reply?.text).not.toContain(secret);
      }
    });
  },
);
