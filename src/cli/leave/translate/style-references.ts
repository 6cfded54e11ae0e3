/** References to styles: by id if the export contains the style, else by name. */
import type { Json } from '../../../lib/json/value.ts';
import { createPath, isObject, type Resource, readText } from '../archive/exported-configuration.ts';
import { createReference, type Leaving } from './leaving.ts';

/** Styles that both servers have without configuration. */
const builtinNames: ReadonlySet<string> = new Set(['point', 'line', 'polygon', 'raster', 'generic']);

/** `style` is `{ "name": "topp:line" }`; an empty text or null is the default style. */
export function createStyleReference(leaving: Leaving, user: Resource, style: Json): Json {
  const name = isObject(style) ? readText(style['name']) : readText(style);
  if (name === undefined) return style === null ? null : '';
  const separator = name.indexOf(':');
  const path =
    separator < 0
      ? createPath('styles', name)
      : createPath('workspaces', name.slice(0, separator), 'styles', name.slice(separator + 1));
  if (leaving.find(path)?.kind === 'style') return createReference('StyleInfoImpl', path);
  const origin = builtinNames.has(name) ? 'style-builtin' : 'style-missing';
  const message =
    origin === 'style-builtin'
      ? `GeoServer draws its own symbols for the built-in style '${name}'.`
      : `The export does not contain the style '${name}'.`;
  const remedy =
    origin === 'style-builtin'
      ? `Create a style with the content of '${name}' before the export, and use it.`
      : 'Add its path with --path.';
  leaving.report.add(origin, user, message, { remedy });
  return { name: name.slice(separator + 1) };
}
