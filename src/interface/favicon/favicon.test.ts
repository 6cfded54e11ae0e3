import { expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';

const server = useTestServer();

it('serves the icon without credentials', async () => {
  const reply = await server.get('//favicon.ico', { as: null });

  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('image/png');
  expect(reply.headers['www-authenticate']).toBeUndefined();
  expect(reply.bytes.subarray(1, 4).toString()).toBe('PNG');
});
