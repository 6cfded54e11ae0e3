/** The configuration kind for templates, next to a resource or global, and for layouts with their pictures. */
import { type Template, templateKind } from '../../../catalog/kinds/template.ts';
import { defineCommand } from '../../../http/routes/define-command.ts';
import type { RecordBase } from '../../../records/record.ts';
import { findRestPath, type RecordPath } from '../../changes/record-path.ts';
import type { Services } from '../../common/services.ts';
import { normaliseContent, readContentFields, toContentBytes } from '../model/content-fields.ts';
import type { Fields } from '../model/fields.ts';
import {
  type ConfigurationKind,
  type ConfigurationState,
  mapPreparedRecords,
  type Operation,
  type ResourceAddress,
  type WantedResource,
} from '../model/kind.ts';

const defaults: Fields = {};

/** Exactly one of the fields is set: text, or base64 for other bytes. */
const names = ['content', 'contentBase64'] as const;

export const templateRow: ConfigurationKind = {
  kind: templateKind.kind,
  patterns: [
    '/resource/templates/:template',
    '/resource/layouts/:template',
    '/resource/workspaces/:workspace/:template',
    '/resource/workspaces/:workspace/:store/:template',
    '/resource/workspaces/:workspace/:store/:resource/:template',
  ],
  fieldNames: names,
  defaults,
  normalise: normaliseContent,
  every: (state) =>
    mapPreparedRecords(state.every(templateKind), async () => {
      const findPath = await createRecordPathFinder(state);
      return (template) => {
        const place = findPath(template);
        const path = place && findRestPath(place);
        return path ? { path, fields: () => readTemplateFields(state.services, template) } : undefined;
      };
    }),
  create: (wanted) => [createPut(wanted)],
  change: (wanted) => [createPut(wanted)],
  remove: (address) => [deleteFile(toParams(address))],
};

async function readTemplateFields({ files }: Services, { content }: Template): Promise<Fields> {
  return readContentFields(files, content);
}

const putFile = defineCommand('PUT', '/resource/*path');
const deleteFile = defineCommand('DELETE', '/resource/*path');

function createPut(wanted: WantedResource): Operation {
  const content = toContentBytes(wanted.fields) ?? '';
  return putFile(toParams(wanted), { file: { content, mediaType: 'application/octet-stream' } });
}

/** The path of the file below `/resource`. */
function toParams({ path }: ResourceAddress): { readonly path: string } {
  return { path: path.split('/').slice(2).map(decodeURIComponent).join('/') };
}

type PlacedRecord = Pick<RecordBase, 'name' | 'parent'> & { readonly kind: string };

/** The owners of templates: a workspace, a store, or a published resource. */
async function createRecordPathFinder({
  workspaces,
  stores,
  resources,
}: ConfigurationState): Promise<(record: PlacedRecord) => RecordPath | undefined> {
  const [knownWorkspaces, knownStores, knownResources] = await Promise.all([workspaces(), stores(), resources()]);
  return function findPath(record): RecordPath | undefined {
    const { kind, name, parent } = record;
    if (parent === null) {
      return [{ kind, name }];
    }
    const above = knownWorkspaces.get(parent) ?? knownStores.get(parent)?.store ?? knownResources.get(parent);
    const path = above && findPath(above);
    return path && [...path, { kind, name }];
  };
}
