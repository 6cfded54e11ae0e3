/** References to styles on the target. */
import type { Json } from '../../../lib/json/value.ts';
import type { Reference } from '../read/values.ts';
import { formatTarget, type SourceIndex, type SourceStyle, type SourceWorkspace } from './source-index.ts';

/** The styles that every server has. */
const builtInNames: ReadonlySet<string> = new Set(['point', 'line', 'polygon', 'raster', 'generic']);

/** What a reference to a style means on the target, or why it means nothing. */
export type FoundStyle = { readonly reference: Json } | { readonly fault: string };

export function findStyleReference(
  index: SourceIndex,
  reference: Reference,
  workspace: SourceWorkspace | null,
): FoundStyle {
  const style = index.findStyle(reference, workspace);
  if (style?.isImported) return { reference: toStyleReference(style) };
  const text = reference.name ?? reference.id ?? '';
  const name = style === undefined ? text : style.workspace === null ? style.name : undefined;
  if (name !== undefined && builtInNames.has(name)) return { reference: { name } };
  return {
    fault: style === undefined ? `The style '${text}' does not exist.` : `The style '${style.name}' is not imported.`,
  };
}

/** In the form of exports, which name the workspace twice. */
function toStyleReference(style: SourceStyle): Json {
  const { workspace } = style;
  return { name: formatTarget(style), ...(workspace === null ? {} : { workspace: workspace.target }) };
}
