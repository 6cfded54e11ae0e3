import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { askMap, publishSquares, SMALL_MAP } from '../../../../test/support/maps.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

const server = useTestServer();

/** The pixel 4, 4 is in `high` of the layer `west`. */
const INFO = `${SMALL_MAP.replace('GetMap', 'GetFeatureInfo')}&layers=topo:west,topo:east&info_format=text/html`;
const WEST = `${INFO}&query_layers=topo:west&x=4&y=4`;
const BOTH = `${INFO}&query_layers=topo:west,topo:east&x=9&y=10&buffer=3`;

let stored: string[] = [];

async function put(path: string, body: string) {
  const reply = await server.request('PUT', `/resource/${path}`, { type: 'text/plain', body });
  expect(reply.status, reply.text).toBe(201);
  stored.push(path);
}

let store = '';

beforeAll(async () => {
  await publishSquares(server);
  const { resource } = (
    (await server.get('/layers/topo:west.json')).json() as { layer: { resource: { href: string } } }
  ).layer;
  store = /datastores\/([^/]+)\//.exec(resource.href)?.[1] ?? '';
});

afterEach(async () => {
  for (const path of stored) await server.delete(`/resource/${path}`);
  stored = [];
});

describe('templates of GetFeatureInfo', () => {
  it('replace the page: header, content for each layer, footer', async () => {
    await put('templates/header.ftl', '<html><h1>${request.LAYERS} ${env.title!"-"}</h1>');
    await put(
      'templates/content.ftl',
      '<#list features as feature><p>${type.name} ${feature.fid}: ${feature.kind.value}<#list feature.attributes as a><#if !a.isGeometry> ${a.name}=${a.value}</#if></#list></p></#list>',
    );
    await put('templates/footer.ftl', '</html>');

    const reply = await askMap(server, `${BOTH}&env=title:A%26B`);

    expect(reply.headers['content-type']).toBe('text/html;charset=utf-8');
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
    expect(reply.text).toBe(
      '<html><h1>topo:west,topo:east A&amp;B</h1><p>west west.1: low kind=low rank=1</p><p>east east.1: whole kind=whole rank=3</p></html>',
    );
  });

  it('are those nearest to the layer: of its type, its store, its workspace, or the server', async () => {
    const folders = ['templates', 'workspaces/topo', `workspaces/topo/${store}`, `workspaces/topo/${store}/west`];
    const found: string[] = [];
    for (const folder of folders) {
      await put(`${folder}/content.ftl`, folder.split('/').at(-1) ?? '');
      found.push(/<body>\n(.*)\n/.exec((await askMap(server, WEST)).text)?.[1] ?? '');
    }

    expect(found).toEqual(['templates', 'topo', store, 'west']);
    expect((await askMap(server, `${INFO}&query_layers=topo:east&x=15&y=4`)).text).toContain(`\n${store}\n`);
  });

  it('escape values, and write undefined ones as empty text with a warning', async () => {
    await put('templates/content.ftl', '[${request.note}][${request.note?html}][${features[0].height.value}]');

    const reply = await askMap(server, `${WEST}&note=${encodeURIComponent('<script>"\'')}`);

    expect(reply.text).toContain('[&lt;script&gt;&quot;&#39;][&lt;script&gt;&quot;&#39;][]');
    expect(String(reply.headers['warning'])).toContain(
      "The template 'content.ftl' uses 'features.0.height.value', which has no value.",
    );
  });

  it('replace JSON if the layer has a template for it', async () => {
    await put(
      `workspaces/topo/${store}/west/content_json.ftl`,
      '<#list features as f>{"kind":"${f.kind.value}","rank":${f.rank.rawValue}}</#list>',
    );

    const one = await askMap(server, WEST.replace('text/html', 'application/json'));
    const both = await askMap(server, BOTH.replace('text/html', 'application/json'));
    await put('templates/content_json.ftl', '"other"');
    const templated = await askMap(server, BOTH.replace('text/html', 'application/json'));

    expect(one.json()).toEqual({ type: 'FeatureCollection', features: [{ kind: 'high', rank: 2 }] });
    expect(both.text).toContain('"totalFeatures":"unknown"');
    expect(templated.json()).toEqual({ type: 'FeatureCollection', features: [{ kind: 'low', rank: 1 }, 'other'] });
  });

  it('warn if they do not write valid JSON', async () => {
    await put('templates/header_json.ftl', '{"found":{"of":[');
    await put('templates/content_json.ftl', '"${type.name}"');
    const request = WEST.replace('text/html', 'application/json');

    const invalid = await askMap(server, request);
    await put('templates/footer_json.ftl', ']}}');
    const valid = await askMap(server, request);

    expect(invalid.text).toBe('{"found":{"of":["west"]}');
    expect(String(invalid.headers['warning'])).toContain(
      "The response is not valid JSON. Correct the templates: 'header_json.ftl', 'content_json.ftl'.",
    );
    expect(valid.json()).toEqual({ found: { of: ['west'] } });
    expect(valid.headers['warning']).toBeUndefined();
  });

  it('leave pages without features to the header and the footer', async () => {
    await put('templates/header.ftl', '<b>');
    await put('templates/footer.ftl', '</b>');

    expect((await askMap(server, `${WEST}&cql_filter=rank=1;INCLUDE`)).text).toBe('<b></b>');
  });

  it('are stopped at their limits', async () => {
    await put('templates/content.ftl', '<#list 1..9999 as a><#list 1..9999 as b>.</#list></#list>');

    const reply = await askMap(server, WEST);

    expect(reply.text).toContain('A template is stopped: it needs more than 2000000 steps.');
  });
});

describe('templates of KML', () => {
  it('write the name and the description of each placemark', async () => {
    await put('workspaces/topo/title.ftl', '${kind.value} & ${fid}');
    await put('workspaces/topo/description.ftl', '<b>${rank.value}</b> ${"<" + typeName}');

    const reply = await askMap(server, `${SMALL_MAP.replace('image/png', 'kml')}&layers=topo:west`);

    expect(reply.text).toContain(
      '<name>low &amp; west.1</name><description>&lt;b&gt;1&lt;/b&gt; &amp;lt;west</description><Style>',
    );
    expect(reply.text).toContain('<name>high &amp; west.2</name>');
  });
});

describe('a template that is uploaded', () => {
  it.each([
    ['<p>\n  <#include "secret.ftl">', 'line 2, column 3: unknown directive <#include>'],
    ['${"freemarker.template.utility.Execute"?new()}', 'line 1, column 41: unknown built-in'],
    ['<#if a>', 'line 1, column 1: <#if> has no end'],
  ])('is rejected with the position of its error: %s', async (body, reason) => {
    const reply = await server.request('PUT', '/resource/templates/bad.ftl', { type: 'text/plain', body });

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(reason)]);
  });

  it('is stored with warnings about directives without an effect', async () => {
    const reply = await server.request('PUT', '/resource/templates/odd.ftl', {
      type: 'text/plain',
      body: '<#setting locale="en">',
    });

    expect([reply.status, String(reply.headers['warning'])]).toEqual([
      201,
      expect.stringContaining('<#setting> has no effect'),
    ]);
  });
});
