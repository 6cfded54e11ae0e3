/** MapLibre and YSLD styles are stored as sent, drawn, and converted to SLD. */
import { beforeAll, describe, expect, it } from 'vitest';
import { askMap, colourAt, publishSquares, SMALL_MAP } from '../../../test/support/maps.ts';
import { createStylePackage, tinyPng, ZIP_TYPE } from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const TYPE = 'application/vnd.geoserver.mbstyle+json';

const ranks = `{
  "version": 8,
  "name": "ranks",
  "layers": [
    {
      "id": "squares",
      "type": "fill",
      "paint": {"fill-color": ["match", ["get", "kind"], "low", "#00ff00", "#ffff00"], "fill-opacity": 1}
    }
  ]
}
`;

describe('MapLibre styles', () => {
  const server = useTestServer();
  beforeAll(() => publishSquares(server));

  it('are stored as sent', async () => {
    const made = await server.post('/workspaces/topo/styles', ranks, { type: TYPE });
    const entry = (await server.get('/workspaces/topo/styles/ranks.json')).json();

    expect([made.status, made.text]).toEqual([201, 'ranks']);
    expect(entry).toMatchObject({ style: { name: 'ranks', format: 'mbstyle', filename: 'ranks.json' } });
    expect((await server.get('/workspaces/topo/styles/ranks.mbstyle')).text).toBe(ranks);
    expect((await server.get('/workspaces/topo/styles/ranks.mbstyle.json')).text).toBe(ranks);
    expect((await server.get('/workspaces/topo/styles/ranks', { headers: { accept: TYPE } })).text).toBe(ranks);
  });

  it('are drawn on maps and in legends', async () => {
    const map = await askMap(server, `${SMALL_MAP}ranks&layers=topo:west`);
    const legend = await server.get('/workspaces/topo/styles/ranks.png');

    expect([await colourAt(map, 4, 14), await colourAt(map, 4, 4)]).toEqual(['#00ff00', '#ffff00']);
    expect(legend.headers['content-type']).toBe('image/png');
  });

  it('are drawn with expressions that are sent to threads in chunks', async () => {
    const pairs = Array.from({ length: 5_000 }, (_, index) => `"kind ${index}", "#ff0000"`).join(', ');
    const body = ranks.replace('"low", "#00ff00"', `${pairs}, "low", "#00ff00"`);
    const made = await server.post('/workspaces/topo/styles?name=many-kinds', body, { type: TYPE });
    const map = await askMap(server, `${SMALL_MAP}many-kinds&layers=topo:west`);

    expect([made.status, made.headers['warning']]).toEqual([201, undefined]);
    expect([await colourAt(map, 4, 14), await colourAt(map, 4, 4)]).toEqual(['#00ff00', '#ffff00']);
  });

  it('are rejected with expressions of too many nested parts', async () => {
    const body = ranks.replace('"fill-opacity": 1', `"fill-opacity": ["+"${', 0'.repeat(80_000)}]`);
    const { status, text } = await server.post('/workspaces/topo/styles?name=nested', body, { type: TYPE });

    expect(status).toBe(400);
    expect(text).toContain('an expression has more than 1000 nested parts; simplify it');
  });

  it('are rejected with a case of too many branches', async () => {
    const branches = Array.from({ length: 18_000 }, (_, index) => `["==", ["get", "k"], "${index}"], "#ff0000"`);
    const color = `["case", ${branches.join(', ')}, "#00ff00"]`;
    const body = ranks.replace('"fill-opacity": 1', `"fill-outline-color": ${color}`);
    const { status, text } = await server.post('/workspaces/topo/styles?name=branches', body, { type: TYPE });

    expect(status).toBe(400);
    expect(text).toContain('an expression has more than 1000 nested parts; simplify it');
  });

  it('set the background of an opaque map without bgcolor', async () => {
    const layer = '{"id": "sea", "type": "background", "paint": {"background-color": "#0000ff"}},';
    const body = ranks.replace('"layers": [', `"layers": [${layer}`);
    const made = await server.post('/workspaces/topo/styles?name=sea', body, { type: TYPE });
    const drawBackground = async (options: string) =>
      colourAt(await askMap(server, `${SMALL_MAP}sea&layers=topo:west${options}`), 15, 4);

    expect([made.status, made.headers['warning']]).toEqual([201, undefined]);
    expect(await drawBackground('')).toBe('#0000ff');
    expect(await drawBackground('&bgcolor=0xffffff')).toBe('#ffffff');
    expect(await drawBackground('&transparent=true')).toBe('#00000000');
  });

  it('are converted to SLD', async () => {
    const { status, text } = await server.get('/workspaces/topo/styles/ranks.sld');

    expect(status).toBe(200);
    expect(text).toContain('<Name>squares</Name>');
    expect(text).toContain('<ogc:Function name="Recode">');
  });

  it('are replaced, with warnings about parts that are not drawn', async () => {
    const body = ranks.replace('"fill-opacity": 1', '"fill-blur": 1');
    const reply = await server.put('/workspaces/topo/styles/ranks', body, {
      type: 'application/vnd.mapbox.style+json',
    });

    expect(reply.status).toBe(200);
    expect(reply.headers['warning']).toContain('/layers/0/paint/fill-blur, line 8, column 101');
  });

  it('are rejected with line and column under strict handling', async () => {
    const reply = await server.post('/styles?name=bad', ranks.replace('#ffff00', 'sunny'), {
      type: TYPE,
      headers: { prefer: 'handling=strict' },
    });

    expect(reply.status).toBe(400);
    expect(reply.text).toContain("ine 8, column 76: 'sunny' is not a colour");
  });

  it('are rehearsed by a dry run', async () => {
    const dry = await server.post('/styles?name=rehearsed&dryRun=true', ranks, { type: TYPE });

    expect(dry.status).toBe(201);
    expect((await server.get('/styles/rehearsed.json')).status).toBe(404);
  });

  it('can be uploaded as a resource file', async () => {
    const put = await server.put('/resource/styles/colors.json', ranks, { type: 'application/json' });

    expect(put.status).toBe(201);
    expect((await server.put('/resource/styles/colors.json', '{}', { type: 'application/json' })).status).toBe(400);
  });

  it('are written from styles of other languages', async () => {
    const reply = await server.get('/workspaces/topo/styles/red.mbstyle');

    expect(reply.headers['content-type']).toBe(TYPE);
    expect(reply.json()).toMatchObject({ version: 8, layers: [{ type: 'fill', paint: { 'fill-color': '#ff0000' } }] });
  });
});

describe('MapLibre styles with a sprite sheet', () => {
  const server = useTestServer();
  beforeAll(() => publishSquares(server));
  const style = JSON.stringify({
    version: 8,
    sprite: 'sprites/icons',
    layers: [{ id: 'dots', type: 'fill', paint: { 'fill-pattern': 'dots' } }],
  });
  const index = (name: string) => JSON.stringify({ [name]: { x: 0, y: 0, width: 1, height: 1, pixelRatio: 1 } });
  /** The colour of the pattern. */
  const drawPattern = async (name: string) =>
    colourAt(await askMap(server, `${SMALL_MAP}${name}&layers=topo:west`), 4, 4);

  it('are sent as a package', async () => {
    const body = createStylePackage({
      'a/dotted.json': style,
      'a/sprites/icons.json': index('dots'),
      'a/sprites/icons.png': tinyPng(64),
    });
    const made = await server.request('POST', '/workspaces/topo/styles', { body, type: ZIP_TYPE });

    expect([made.status, made.text, made.headers['warning']]).toEqual([201, 'dotted', undefined]);
    expect((await server.get('/workspaces/topo/styles/dotted.mbstyle')).text).toBe(style);
    expect(await drawPattern('dotted')).toBe('#404040');
  });

  it('are drawn with icons that are uploaded as files of the style, and again when these change', async () => {
    await server.post('/workspaces/topo/styles?name=late', style.replace('sprites/icons', 'marks'), { type: TYPE });
    const before = await drawPattern('late');
    const puts = [
      await server.put('/resource/workspaces/topo/styles/marks.json', index('dots'), { type: 'application/json' }),
      await server.request('PUT', '/resource/workspaces/topo/styles/marks.png', {
        body: tinyPng(32),
        type: 'image/png',
      }),
    ];

    expect(puts.map(({ status }) => status)).toEqual([201, 201]);
    expect([before, await drawPattern('late')]).toEqual(['#ffffff', '#202020']);
    expect((await server.delete('/resource/workspaces/topo/styles/marks.json')).status).toBe(403);
  });

  it('keep their content when a list of icons is sent to its file', async () => {
    const put = await server.put('/resource/workspaces/topo/styles/late.json', index('dots'), {
      type: 'application/json',
    });

    expect([put.status, put.text]).toEqual([400, expect.stringContaining('content of a style')]);
  });

  it.each([
    ['styles/sprites/wrong.json', '{"version": 8, "layers": []}'],
    ['styles/sprites/wrong.json', '{"dots": {"x": -1, "y": 0, "width": 1, "height": 1}}'],
  ])('reject %s with %s', async (path, body) => {
    expect((await server.put(`/resource/${path}`, body, { type: 'application/json' })).status).toBe(400);
  });
});

describe('YSLD styles', () => {
  const server = useTestServer();
  beforeAll(() => publishSquares(server));
  const text = 'name: ranks\nrules:\n- filter: rank < 2\n  polygon:\n    fill-color: lime\n';

  it('are stored as sent, drawn and converted to SLD', async () => {
    const type = 'application/vnd.geoserver.ysld+yaml';
    const made = await server.post('/workspaces/topo/styles', text, { type });
    const map = await askMap(server, `${SMALL_MAP}ranks&layers=topo:west`);

    expect(made.status).toBe(201);
    expect((await server.get('/workspaces/topo/styles/ranks.json')).json()).toMatchObject({
      style: { format: 'ysld', filename: 'ranks.yaml' },
    });
    expect((await server.get('/workspaces/topo/styles/ranks.ysld')).text).toBe(text);
    expect([await colourAt(map, 4, 14), await colourAt(map, 4, 4)]).toEqual(['#00ff00', '#ffffff']);
    expect((await server.get('/workspaces/topo/styles/ranks.sld')).text).toContain('<PolygonSymbolizer>');
    expect((await server.get('/workspaces/topo/styles/red.ysld')).status).toBe(406);
    expect((await server.post('/styles?name=bad', 'rules: [', { type })).text).toContain('ine 1, column 9');
  });
});
