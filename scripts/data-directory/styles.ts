/**
 * Styles of every type: in each language, with images, without content, changed, shared, moved, orphaned and purged.
 */
import {
  CSS_TYPE,
  createStylePackage,
  lineSe,
  lineSld,
  pictureSld,
  SE_TYPE,
  SLD_TYPE,
  tinyPng,
  ZIP_TYPE,
} from '../../test/support/styles.ts';
import { part, type Rest } from './rest.ts';

/** Styles that are stored as CSS. */
export const cssStyles = ['fields', 'Grüne Wiese', 'nomad'];

export async function fillStyles({ send }: Rest): Promise<void> {
  await send('POST', '/styles?name=older', lineSld('first'), SLD_TYPE);
  await send('PUT', '/styles/older', lineSld('older', '#00ff00'), SLD_TYPE);
  await send('POST', '/styles?name=newer', lineSe('newer', 'named'), SE_TYPE);
  const css = '* { stroke: navy; }\n[lanes > 2] { stroke-width: 3; }\n';
  await send('POST', '/styles?name=fields', css, CSS_TYPE);
  await send('POST', `/styles?name=${part('Grüne Wiese')}`, '* { fill: #00aa00; }', CSS_TYPE);
  const said = {
    metadata: { entry: [{ '@key': 'made by', $: 'Zoë' }] },
    legend: { width: 32, height: 16, format: 'image/png', onlineResource: 'legend.png' },
  };
  await send('PUT', `/styles/${part('Grüne Wiese')}`, JSON.stringify({ style: said }));

  const images = { 'icons/tree.png': tinyPng(10), 'unused.png': tinyPng(20) };
  await send(
    'POST',
    '/styles?name=tree',
    createStylePackage({ 'a.sld': pictureSld('a', 'icons/tree.png'), ...images }),
    ZIP_TYPE,
  );
  images['icons/tree.png'] = tinyPng(30);
  await send(
    'PUT',
    '/styles/tree',
    createStylePackage({ 'a.sld': pictureSld('tree', 'icons/tree.png'), ...images }),
    ZIP_TYPE,
  );
  await send('POST', '/styles?name=forest', pictureSld('forest', 'icons/tree.png'), SLD_TYPE);

  await send('POST', '/styles', '{"style":{"name":"without content","filename":"nothing.sld"}}');
  await send('POST', '/styles', '{"style":{"name":"shares the file of older","filename":"older.sld"}}');
  await send('POST', '/styles?name=unchecked&raw=true', '<StyledLayerDescriptor version="1.0.0"/>', SLD_TYPE);
  await send('PUT', '/styles/generic', lineSld('no longer generic'), SLD_TYPE);

  await send('POST', '/styles?name=orphan', lineSld('left behind'), SLD_TYPE);
  await send('DELETE', '/styles/orphan');
  await send('POST', '/styles?name=purged', lineSld('purged'), SLD_TYPE);
  await send('DELETE', '/styles/purged?purge=true');
  await send('POST', '/styles?name=former', lineSld('under a former name'), SLD_TYPE);
  await send('PUT', '/styles/former', '{"style":{"name":"renamed"}}');

  await send('POST', '/workspaces/acme/styles?name=local', lineSld('local'), SLD_TYPE);
  await send('POST', '/workspaces/acme/styles?name=point', lineSe('a point of acme'), SE_TYPE);
  await send(
    'POST',
    `/workspaces/Vermessung/styles?name=${part('bäume')}`,
    createStylePackage({ 'x.sld': pictureSld('x', 'x.png'), 'x.png': tinyPng(40) }),
    ZIP_TYPE,
  );
  await send('POST', '/styles?name=nomad', '* { mark: symbol(circle); }', CSS_TYPE);
  await send('PUT', '/styles/nomad', '{"style":{"workspace":{"name":"apart"}}}');
}
