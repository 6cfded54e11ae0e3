/** Mutated mappings and schemas must be published or rejected. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createArchive, surveyFiles } from '../../../test/support/mapping-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { createDeletion, createInsertion, createMutatedDocument } from '../../../test/support/text-mutations.ts';
import { snapshot } from '../../../test/support/vector-samples.ts';

/** Few by default; set `MAPPING_FUZZ_CASES=2000` for a longer run. */
const CASES = Number(process.env['MAPPING_FUZZ_CASES'] ?? '80');

const store = '/workspaces/acme/datastores/fuzz';

const pieces = [
  '<',
  '>',
  '"',
  '/',
  ':',
  's:',
  'gml:',
  's:Event',
  'FEATURE_LINK',
  '[2]',
  "'",
  '(',
  ')',
  ' ',
  '\0',
  '&amp;',
  '$'.concat('{config.parent}'),
  '../',
  'file:///etc/',
  '<Include>survey.appschema</Include>',
  '<xs:include schemaLocation="../survey.xsd"/>',
  '<!DOCTYPE a>',
  '<isMultiple>true</isMultiple>',
];

describe('a mutated mapping', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  const names = Object.keys(surveyFiles).filter((name) => /\.(?:appschema|xml|xsd)$/.test(name));

  it.each(names)('is published or rejected: %s', { timeout: 600_000 }, async (name) => {
    const mutation = fc.oneof(createInsertion(pieces), createDeletion(12));
    const runs = Math.max(1, Math.ceil(CASES / names.length));

    await fc.assert(
      fc.asyncProperty(createMutatedDocument([surveyFiles[name] ?? ''], mutation), async (text) => {
        const before = await snapshot(server.dataDir);
        const reply = await server.request('PUT', `${store}/file.appschema?configure=all`, {
          type: 'application/zip',
          body: createArchive({ ...surveyFiles, [name]: text }),
        });

        if (reply.status === 200) {
          const types = await server.get(`${store}/featuretypes.xml`);
          for (const [, type = ''] of types.text.matchAll(/<name>([^<]*)</g)) {
            expect((await server.get(`${store}/featuretypes/${encodeURIComponent(type)}.xml`)).status).toBe(200);
          }
          expect((await server.delete(`${store}?recurse=true`)).status).toBe(200);
        } else {
          expect([reply.status, reply.text]).toEqual([400, expect.any(String)]);
          expect(await snapshot(server.dataDir)).toEqual(before);
        }
      }),
      { numRuns: runs },
    );
  });
});
