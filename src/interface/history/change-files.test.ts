import { describe, expect, it } from 'vitest';
import { readChangeNumber, startTrial } from '../../../test/support/history.ts';
import { lineSld, SLD_TYPE } from '../../../test/support/styles.ts';

interface Change {
  readonly items: readonly {
    readonly kind: string;
    readonly before: { readonly content: string } | null;
    readonly after: { readonly content: string } | null;
  }[];
}

describe('files of a change', () => {
  it('are the texts of a style before and after it, also after its deletion', async () => {
    const { server } = await startTrial();
    await server.post('/styles?name=stroke', lineSld('first'), { type: SLD_TYPE });
    const changed = readChangeNumber(await server.put('/styles/stroke', lineSld('second'), { type: SLD_TYPE }));
    await server.delete('/styles/stroke?purge=false');

    const { items } = (await server.get(`/history/${changed}`)).json() as Change;
    const file = items.find(({ kind }) => kind === 'styleFile');
    const read = async (hash = '') => (await server.get(`/history/${changed}/files/${hash}`)).text;

    expect(await read(file?.before?.content)).toBe(lineSld('first'));
    expect(await read(file?.after?.content)).toBe(lineSld('second'));
  });

  it('are returned only for the change that names them, and only to administrators', async () => {
    const { server } = await startTrial();
    const created = readChangeNumber(await server.post('/styles?name=stroke', lineSld('first'), { type: SLD_TYPE }));
    const other = readChangeNumber(await server.post('/workspaces', '{"workspace":{"name":"acme"}}'));
    const { items } = (await server.get(`/history/${created}`)).json() as Change;
    const hash = items.find(({ kind }) => kind === 'styleFile')?.after?.content ?? '';
    const accept = 'application/problem+json';
    const read = (path: string) => server.get(path, { accept });

    for (const path of [`/history/${other}/files/${hash}`, `/history/${created}/files/${'0'.repeat(64)}`]) {
      const reply = await read(path);
      expect([reply.status, (reply.json() as { code: string }).code]).toEqual([404, 'change-file-unknown']);
    }
    expect((await read(`/history/${created}/files/..%2Fkeystore`)).status).toBe(404);
    expect((await server.get(`/history/${created}/files/${hash}`, { as: null })).status).toBe(401);
  });
});
