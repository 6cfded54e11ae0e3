import { beforeEach, describe, expect, it } from 'vitest';
import { lineSld, pictureSld } from '../../test/support/styles.ts';
import { idlePool } from '../../test/support/worker-tasks.ts';
import type { WorkerPool } from '../workers/pool.ts';
import { sld11 } from './content/style-format.ts';
import { openStyleProcessor } from './style-processor.ts';
import type { StoredStyle } from './style-tasks.ts';

let inThreads: string[] = [];

/** Records the tasks for a worker, and runs them in this thread. */
const notingPool: WorkerPool = {
  async run(task, input) {
    inThreads.push(task.name);
    return task.work(input);
  },
  threads: () => 0,
  waiting: () => 0,
  getUsage: () => idlePool,
  close: async () => undefined,
};

const small = Buffer.from(lineSld('small'));
const large = Buffer.from(lineSld('large').replace('<NamedLayer>', `${' '.repeat(100_000)}<NamedLayer>`));
const css = Buffer.from('* { stroke: red; }');

function stored(bytes: Uint8Array, language: 'sld' | 'css' = 'sld'): StoredStyle {
  return { name: 'a', bytes, language, charset: null };
}

describe('style processor', () => {
  const work = openStyleProcessor(notingPool);
  beforeEach(() => {
    inThreads = [];
  });

  it('reads small SLD in the main thread', async () => {
    const { styleName } = await work.describe({ bytes: small, expected: { language: 'sld' } });

    expect([styleName, inThreads]).toEqual(['small', []]);
  });

  it('reads large SLD in a worker', async () => {
    const { styleName } = await work.describe({ bytes: large, expected: { language: 'sld' } });

    expect([styleName, inThreads]).toEqual(['large', ['describeStyle']]);
  });

  it.each(['latin1', 'utf16le'] as const)(
    'reads SLD with a DOCTYPE in a worker, because entities can expand it (%s)',
    async (encoding) => {
      const text = lineSld('small').replace(/^(<\?xml.*?\?>)?/, '<!DOCTYPE StyledLayerDescriptor [<!ENTITY a "b">]>');
      const bytes = Buffer.from(encoding === 'utf16le' ? `\uFEFF${text}` : text, encoding);

      const { styleName } = await work.describe({ bytes, expected: { language: 'sld' } });

      expect([styleName, inThreads]).toEqual(['small', ['describeStyle']]);
    },
  );

  it('reads CSS in a worker, because a few rules can take long', async () => {
    const { format } = await work.describe({ bytes: css, expected: { language: 'css' } });

    expect([format.language, inThreads]).toEqual(['css', ['describeStyle']]);
  });

  it('reads unchecked content in a worker, because it may be CSS', async () => {
    const { format } = await work.describe({ bytes: css, unchecked: { language: 'sld', version: '1.0.0' } });

    expect([format.language, inThreads]).toEqual(['css', ['describeStyle']]);
  });

  it('converts large SLD and all CSS in a worker', async () => {
    await work.convert(stored(small), 'hash of small', sld11);
    await work.convert(stored(large), 'hash of large', sld11);
    await work.convert(stored(css, 'css'), 'hash of css', sld11);

    expect(inThreads).toEqual(['convertStyle', 'convertStyle']);
  });

  it('caches conversions of the same content', async () => {
    const first = await work.convert(stored(large), 'another hash', sld11);
    const second = await work.convert(stored(large), 'another hash', sld11);

    expect(second).toBe(first);
    expect(inThreads).toEqual(['convertStyle']);
  });

  it('writes layers of MapLibre styles and joins styles in a worker if the styles are large', async () => {
    const request = { layerNames: ['roads'], source: { source: 'roads' }, prefix: 'roads ' };
    const join = (...styles: readonly Buffer[]) =>
      work.join({
        layers: [
          {
            name: 'roads',
            layerNames: ['roads'],
            styles: styles.map((bytes, index) => ({ style: stored(bytes), isDefault: index === 0 })),
          },
        ],
        version: undefined,
      });

    const written = await work.writeMbLayers(stored(large), request);
    const joined = await join(small, large);
    await work.writeMbLayers(stored(small), request);
    await join(small);

    expect(JSON.parse(`[${written?.layers}]`)).toMatchObject([{ id: 'roads 1', type: 'line', source: 'roads' }]);
    expect(joined.match(/<(sld:)?UserStyle>/g)).toHaveLength(2);
    expect(inThreads).toEqual(['writeMbLayers', 'joinStyles']);
  });

  it('joins styles without the secrets in addresses of pictures', async () => {
    const address = 'http://user:PASSW0RD@icons.example/a.png?token=T0KEN';
    const bytes = Buffer.from(pictureSld('secret', address));

    const joined = await work.join({
      layers: [{ name: 'a', layerNames: ['a'], styles: [{ style: stored(bytes), isDefault: true }] }],
      version: undefined,
    });

    expect(joined).toContain('"http://icons.example/a.png"');
    expect(joined).not.toMatch(/PASSW0RD|T0KEN/);
  });

  it('draws in a worker, which receives the graphics that it lists', async () => {
    const requested: string[] = [];

    const picture = await work.draw(
      stored(Buffer.from(pictureSld('a', 'tree.png'))),
      { width: 9, height: 9 },
      (href) => {
        requested.push(href);
        return Promise.resolve(undefined);
      },
    );

    expect(Buffer.from(picture).toString('latin1')).toContain('PNG');
    expect([requested, inThreads]).toEqual([['tree.png'], ['drawStyle', 'drawStyle']]);
  });

  it('checks large images of packages in a worker', async () => {
    const svg = (size: number) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(size)}</svg>`);

    await work.checkImage('small.svg', svg(1));
    await work.checkImage('large.svg', svg(100_000));
    await expect(work.checkImage('large.png', svg(100_000))).rejects.toMatchObject({ code: 'style-package-image' });

    expect(inThreads).toEqual(['checkPackagedImage', 'checkPackagedImage']);
  });
});
