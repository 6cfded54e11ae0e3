/** A full queue of maps, as its clients see it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { askMap, publishSquares, SMALL_MAP } from '../../../test/support/maps.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const server = useTestServer();

beforeAll(() => publishSquares(server));

/** One client can have 100 maps waiting, and at most 7 in progress. */
const MAPS = 150;

describe('client that requests more maps at once than may wait', () => {
  it('gets 503 with Retry-After and the reason for the surplus, and all other maps', async () => {
    const replies = await Promise.all(
      Array.from({ length: MAPS }, () => askMap(server, `${SMALL_MAP}&layers=topo:west`)),
    );

    const statuses = new Set(replies.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 503]));
    const rejected = replies.find(({ status }) => status === 503);
    expect(rejected?.headers['retry-after']).toBe('5');
    expect(rejected?.text).toContain('The server is busy');
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(100);
    expect((await askMap(server, `${SMALL_MAP}&layers=topo:west`)).status).toBe(200);
  });
});
