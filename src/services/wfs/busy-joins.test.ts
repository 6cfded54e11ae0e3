/** Joins of feature types on a server with little memory. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';

const MEGABYTE = 1_048_576;

const server = useTestServer({ flags: ['--memory', '256MB'] });

/** Two of them have more characters than the 16 MB of a join. */
const LONG_TEXTS = 6;

beforeAll(async () => {
  await publishTables(server, 'topo', [
    { name: 'towns', attributes: [column('n', 'integer')], rows: [[1], [2]] },
    {
      name: 'texts',
      attributes: [column('n', 'integer'), column('text', 'string')],
      rows: Array.from({ length: LONG_TEXTS }, (_, n) => [n, 'x'.repeat(MEGABYTE)]),
    },
  ]);
});

function join(types: string, query = ''): Promise<Reply> {
  return server.get(
    `//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=${types}&aliases=a,b&outputFormat=csv${query}`,
    { as: null },
  );
}

describe('joins on a server with 256 MB of memory', () => {
  it('are rejected when their features need more than 16 MB', async () => {
    const large = await join('topo:texts,topo:texts');
    const narrow = await join('topo:texts,topo:texts', '&cql_filter="a/n" = 1 AND "b/n" = 2&propertyName=a/n,b/n');

    expect(large.status).toBe(400);
    expect(large.text).toContain('The join exceeds the limit of 16777216 bytes.');
    expect(narrow.text.split('\r\n')[1]).toBe('texts.2+texts.3,texts.2,1,texts.3,2');
  });

  it('wait for each other, are rejected with 503 beyond the queue, and leave their places', async () => {
    const replies = await Promise.all(Array.from({ length: 80 }, () => join('topo:towns,topo:towns')));
    const failures = await Promise.all(Array.from({ length: 5 }, () => join('topo:towns,topo:unknown')));

    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect(new Set(failures.map(({ status }) => status))).toEqual(new Set([400]));
    expect((await join('topo:towns,topo:towns')).text.split('\r\n').length).toBe(6);
  });
});
