/** Uploaded files of stores in the configuration: exported and restored by hash. */
import { link, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CoverageDefaults } from '../../../catalog/coverages/publish-coverage.ts';
import { isMosaicType } from '../../../catalog/kinds/mosaic.ts';
import { findFilePlace } from '../../../catalog/stores/uploaded-files.ts';
import { assignFiles, type FileAssignment } from '../../../catalog/uploads/assign-files.ts';
import type { ConfigurationError } from '../../../lib/problems/kinds/kind.ts';
import { formatFilePlace } from '../../../lib/text/file-place.ts';
import type { SetFile } from '../../../records/files/file-sets.ts';
import type { StagedFile } from '../../../records/files/staged-files.ts';
import type { Services } from '../../common/services.ts';
import { type Fields, isList, isObject, type Json } from './fields.ts';
import type { Operation, StepContext, WantedResource } from './kind.ts';

export interface ExportedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The desired files of a store, as far as they are valid. */
export function readFiles({ files }: Fields): readonly ExportedFile[] {
  return isList(files) ? files.flatMap((file) => parseExportedFile(file) ?? []) : [];
}

function parseExportedFile(file: Json): ExportedFile | undefined {
  if (!isObject(file)) {
    return undefined;
  }
  const { path, bytes, sha256 } = file;
  return typeof path === 'string' && typeof bytes === 'number' && typeof sha256 === 'string'
    ? { path, bytes, sha256 }
    : undefined;
}

/** A file whose features are edited in place: only archives list its bytes, with a copy. */
function isEdited(file: Json): boolean {
  return isObject(file) && file['edited'] === true;
}

export function listEditedFiles({ files }: Fields): readonly Json[] {
  return isList(files) ? files.filter(isEdited) : [];
}

/** Edited files are never replaced by the copy of a document; on another server such a copy is an ordinary file. */
export function reconcileFiles(former: Fields, wanted: Fields): Fields {
  const { files } = wanted;
  const now = former['files'];
  if (!isList(files) || !isList(now)) {
    return wanted;
  }
  if (listEditedFiles(former).length > 0) {
    const isSame =
      files.length === now.length && files.every((file, at) => isEdited(file) && hasSamePath(now[at], file));
    return isSame || files.length === 0 ? { ...wanted, files: now } : wanted;
  }
  const settled = files.map((file) => {
    if (!isEdited(file)) {
      return file;
    }
    return parseExportedFile(file) === undefined
      ? (now.find((each) => hasSamePath(each, file)) ?? file)
      : { ...parseExportedFile(file) };
  });
  return { ...wanted, files: settled };
}

function hasSamePath(one: Json | undefined, other: Json): boolean {
  return one !== undefined && isObject(one) && isObject(other) && one['path'] === other['path'];
}

/** Files that would replace edited ones, and those that are neither in the archive nor on the server. */
export async function checkFiles(
  { files, services }: StepContext,
  {
    path,
    wanted,
    changed,
    former = {},
  }: {
    readonly path: string;
    readonly wanted: WantedResource;
    /** For an existing store: the fields that differ. */
    readonly changed?: ReadonlySet<string>;
    readonly former?: Fields;
  },
): Promise<readonly ConfigurationError[]> {
  const { files: fileList } = wanted.fields;
  if (changed !== undefined && !changed.has('files')) {
    return [];
  }
  if (fileList === undefined || fileList === null) {
    return [];
  }
  const complain = (code: string, message: string) => [{ path, field: '/files', code, message }];
  if (listEditedFiles(former).length > 0 && isList(fileList) && fileList.length > 0) {
    const remedy = "leave out 'files' to keep the edits, or delete the store first";
    return complain(
      'features-edited',
      `the features of this store were edited, and these files would hide the edits; ${remedy}`,
    );
  }
  const withoutBytes = listEditedFiles(wanted.fields).filter((file) => parseExportedFile(file) === undefined);
  if (withoutBytes.length > 0) {
    const names = withoutBytes.map((file) => (isObject(file) ? String(file['path']) : '')).join(', ');
    return complain(
      'files-missing',
      `the document contains no copy of ${names}; export the configuration as an archive`,
    );
  }
  const known = readFiles(wanted.fields);
  const isValid = isList(fileList) && known.length === fileList.length && known.every(isValidFile);
  if (!isValid) {
    return complain('document-invalid', 'expected a list of objects with path, bytes and sha256');
  }
  const missing: string[] = [];
  for (const { path: file, sha256 } of known) {
    if (!files.has(sha256) && (await services.files.stored.blobs.getState(sha256)) !== 'present') {
      missing.push(file);
    }
  }
  if (missing.length === 0) {
    return [];
  }
  return complain('files-missing', `the server does not have ${missing.join(', ')}; send an archive with the files`);
}

function isValidFile({ path, sha256 }: ExportedFile): boolean {
  const parts = path.split('/');
  return /^[0-9a-f]{64}$/.test(sha256) && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

/** Creates a file set, and a store that uses it in place of the previous one. */
export function createFilesOperation(
  kind: FileAssignment['kind'],
  resource: WantedResource,
  habits: CoverageDefaults,
): Operation {
  const { names, fields } = resource;
  return isMosaicType(typeof fields['type'] === 'string' ? fields['type'] : null)
    ? { run: (context) => uploadMosaicFiles(context, resource, habits) }
    : createFileSetOperation(kind, { names, fields });
}

function createFileSetOperation(
  kind: FileAssignment['kind'],
  { names, fields }: Pick<WantedResource, 'names' | 'fields'>,
): Operation {
  return {
    async run({ services, principal, files }) {
      const wanted = readFiles(fields);
      const sent = wanted.flatMap(({ path, sha256 }) => {
        const found = files.get(sha256);
        return found === undefined ? [] : [{ path, hash: sha256, ...found }];
      });
      const others = wanted
        .filter(({ sha256 }) => !files.has(sha256))
        .map(({ path, bytes, sha256 }): SetFile => ({ path, bytes, hash: sha256 }));
      await services.files.runFileOperation(async (keeper) => {
        const fileSet = await keeper.storeSet(sent, others);
        await assignFiles(services, principal, {
          kind,
          workspace: names['workspace'] ?? '',
          store: names['store'] ?? '',
          fileSet,
          type: typeof fields['type'] === 'string' ? fields['type'] : null,
          parameters: readParameters(fields),
        });
      });
    },
  };
}

/**
 * A mosaic is created from its files as by an upload: its granules are in an index, which is not part of the
 * configuration.
 */
async function uploadMosaicFiles(
  { services, principal, files, signal }: StepContext,
  { names, fields }: WantedResource,
  habits: CoverageDefaults,
): Promise<void> {
  const { uploadMosaic } = await import('../../../catalog/mosaics/upload-mosaic.ts');
  const [workspace, store] = [names['workspace'] ?? '', names['store'] ?? ''];
  await uploadMosaic(services.catalog, services.mosaics, principal, {
    workspace,
    store,
    placeIn: (folder) => stageFiles(services, files, readFiles(fields), folder),
    filePlace: findFilePlace(readParameters(fields)) ?? formatFilePlace(workspace, store),
    configure: false,
    coverageName: null,
    habits,
    precondition: {},
    isStrict: false,
    signal,
  });
}

async function stageFiles(
  { files: { stored: kept } }: Services,
  sent: StepContext['files'],
  wanted: readonly ExportedFile[],
  folder: string,
): Promise<readonly StagedFile[]> {
  const staged: StagedFile[] = [];
  for (const { path, bytes, sha256: hash } of wanted) {
    const file = join(folder, ...path.split('/'));
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const came = sent.get(hash);
    await (came === undefined ? kept.blobs.linkTo(hash, file) : link(came.file, file));
    staged.push({ path, file, bytes, hash });
  }
  return staged;
}

/** The text parameters; secrets are sent with the following command. */
function readParameters({ connectionParameters, url }: Fields): Readonly<Record<string, string>> {
  const parameters = isObject(connectionParameters) ? connectionParameters : { url: url ?? null };
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
