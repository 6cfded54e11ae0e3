/** Styles of configurations with images, also in languages that are sent without a package. */
import { expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';

const server = useTestServer();

const image = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>',
);
const content = "* { mark: url('icons/tree.svg'); mark-mime: 'image/svg+xml'; }";

it.each(['/styles/trees', '/workspaces/acme/styles/trees'])('stores the images of the CSS style %s', async (path) => {
  const document = JSON.stringify({
    format: 'graticule-configuration/1',
    resources: [
      { kind: 'workspace', path: '/workspaces/acme', fields: {} },
      {
        kind: 'style',
        path,
        fields: {
          format: 'css',
          filename: 'trees.css',
          content,
          images: { 'icons/tree.svg': image.toString('base64') },
        },
      },
    ],
  });
  const before = ((await server.get('/configuration')).json() as { hash: string }).hash;

  const applied = await server.post('/configuration/apply', document, { type: 'json' });
  const again = await server.post('/configuration/diff', document, { type: 'json' });
  const stored = await server.get(`/resource${path.slice(0, path.lastIndexOf('/'))}/icons/tree.svg`);

  expect(applied.status, applied.text).toBe(200);
  expect(again.json()).toMatchObject({ steps: [] });
  expect(stored.bytes).toEqual(image);
  const { change } = applied.json() as { change: number };
  expect((await server.post(`/history/${change}/undo`, '')).status).toBeLessThan(300);
  expect(((await server.get('/configuration')).json() as { hash: string }).hash).toBe(before);
});

it('stores an invalid style with unverified=accept and draws it as the generic style', async () => {
  const path = '/styles/broken';
  const document = (text: string) =>
    JSON.stringify({
      format: 'graticule-configuration/1',
      resources: [
        { kind: 'style', path, fields: { format: 'sld', filename: 'broken.sld', content: text } },
        {
          kind: 'style',
          path: '/styles/broken2',
          fields: { format: 'css', filename: 'broken2.css', content: '* { fill: ' },
        },
      ],
    });
  const broken = document('<StyledLayerDescriptor version="1.0.0"><NamedLayer><Name>x</Name>');

  const rejected = await server.post('/configuration/apply', broken, {
    type: 'json',
    accept: 'application/problem+json',
  });
  const applied = await server.post('/configuration/apply?unverified=accept', broken, { type: 'json' });
  const again = await server.post('/configuration/diff', broken, { type: 'json' });
  const legend = await server.get(`${path}.png`);
  const doctor = (await server.get('/doctor')).json() as { problems: { path: string }[] };

  const { errors } = rejected.json() as { errors: { path: string }[] };
  expect(new Set(errors.map((each) => each.path))).toEqual(new Set([path, '/styles/broken2']));
  expect(applied.status, applied.text).toBe(200);
  const { unverified } = applied.json() as { unverified: { path: string }[] };
  expect(unverified.map((each) => each.path)).toEqual([path, '/styles/broken2']);
  expect(again.json()).toMatchObject({ steps: [], unverified });
  expect(legend.headers['content-type'], legend.text).toBe('image/png');
  expect(doctor.problems.map((each) => each.path)).toEqual(expect.arrayContaining([path, '/styles/broken2']));
});
