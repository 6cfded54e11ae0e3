/** The configuration as a directory: one file per resource, and the content of styles as files beside them. */
import { createHash } from 'node:crypto';
import { parseKeepingNumberText } from '../../lib/json/keep-number-text.ts';
import type { Json, JsonObject } from '../../lib/json/value.ts';
import { type CommandEnvironment, CommandError } from '../client/command.ts';

/** Everything but the resources: the format, and the limits of the export. */
const HEAD = 'configuration.json';

interface Resource {
  readonly kind: string;
  readonly path: string;
  readonly fields: JsonObject;
}

/** The document as the server returns it. */
interface ExportedDocument {
  readonly format: Json;
  readonly scope?: Json;
  readonly kinds?: Json;
  readonly resources: readonly Resource[];
}

/** Writes the files, and deletes those of resources that an earlier export contains and this one does not. */
export async function writeDirectory(
  folder: string,
  document: ExportedDocument,
  world: CommandEnvironment,
): Promise<void> {
  const present = (await world.listFiles(folder)) ?? [];
  const former = await listResourceFiles(folder, present, world);
  const files = createFiles(document);
  for (const [name, content] of files) await world.writeFile(`${folder}${name}`, streamText(content));
  for (const name of former) {
    if (!files.has(name)) await world.removeFile(`${folder}${name}`);
  }
}

/** The files of an earlier export; rejects directories with other content, whose files must not be deleted. */
async function listResourceFiles(
  folder: string,
  present: readonly string[],
  world: CommandEnvironment,
): Promise<readonly string[]> {
  if (present.length === 0) return [];
  if (!present.includes(HEAD)) {
    throw new CommandError(`'${folder}' contains other files. Export to an empty directory or to an earlier export.`);
  }
  const names: string[] = [];
  for (const name of present.filter(isResourceFile)) {
    const { fields } = await readResource(folder, name, world);
    const content = findContentFile(fields['content']);
    names.push(name, ...(content === undefined ? [] : [resolveBeside(name, content)]));
  }
  return names;
}

/** The files of resources have the extension .json, so that MapLibre styles need another one. */
const styleExtensions = ['sld', 'css', 'mbstyle', 'ysld'] as const;

/** The content of every file by its name in the directory. */
function createFiles({ format, scope, kinds, resources }: ExportedDocument): ReadonlyMap<string, string> {
  const files = new Map([[HEAD, formatJson({ format, ...(scope && { scope }), ...(kinds && { kinds }) })]]);
  const used = new Set([HEAD]);
  for (const resource of resources) {
    const name = chooseName(resource.path, used);
    const { content, format: language } = resource.fields;
    if (resource.kind === 'style' && typeof content === 'string') {
      const file = `${name}.${styleExtensions.find((each) => each === language) ?? 'sld'}`;
      files.set(file, content);
      const fields = { ...resource.fields, content: { $file: file.slice(file.lastIndexOf('/') + 1) } };
      files.set(`${name}.json`, formatJson({ ...resource, fields }));
    } else {
      files.set(`${name}.json`, formatJson({ ...resource }));
    }
  }
  return files;
}

/** The path of the resource. Names that differ only in case get a suffix, because some file systems ignore case. */
function chooseName(path: string, used: Set<string>): string {
  const name = path.split('/').slice(1).map(toFileName).join('/');
  const chosen = used.has(`${name}.json`.toLowerCase())
    ? `${name}-${createHash('sha256').update(path).digest('hex').slice(0, 8)}`
    : name;
  used.add(`${chosen}.json`.toLowerCase());
  return chosen;
}

/**
 * Segments of paths are percent-encoded already. Also encoded are characters that file systems reject, dots of hidden
 * files and of parent directories, and extensions that the files of other resources have.
 */
function toFileName(segment: string): string {
  return segment.replaceAll(/[^\w\-.%~!'()]|^\.|\.$|\.(?=(?:json|sld|css|mbstyle|ysld)$)/gi, (character) =>
    character === '.' ? '%2E' : encodeURIComponent(character).replaceAll('*', '%2A'),
  );
}

/** Returns the document that the directory contains; undefined if it is not a directory. */
export async function readDirectory(folder: string, world: CommandEnvironment): Promise<JsonObject | undefined> {
  const present = folder === '-' ? undefined : await world.listFiles(folder);
  if (present === undefined) return undefined;
  const root = folder.endsWith('/') ? folder : `${folder}/`;
  if (!present.includes(HEAD)) {
    throw new CommandError(`'${folder}' is not an exported configuration: ${HEAD} is missing.`);
  }
  const files = new Map<string, string>();
  const resources: Json[] = [];
  for (const name of present.filter(isResourceFile)) {
    const resource = await readResource(root, name, world);
    const other = files.get(resource.path);
    if (other !== undefined) {
      throw new CommandError(`'${root}${name}' and '${root}${other}' contain the same resource, ${resource.path}.`);
    }
    files.set(resource.path, name);
    const content = findContentFile(resource.fields['content']);
    const fields =
      content === undefined
        ? resource.fields
        : { ...resource.fields, content: await readText(`${root}${resolveBeside(name, content)}`, world) };
    resources.push({ ...resource, fields });
  }
  return { ...(await readObject(`${root}${HEAD}`, world)), resources };
}

function isResourceFile(name: string): boolean {
  return name.endsWith('.json') && name !== HEAD;
}

async function readResource(folder: string, name: string, world: CommandEnvironment): Promise<Resource & JsonObject> {
  const value = await readObject(`${folder}${name}`, world);
  const { kind, path, fields } = value;
  if (typeof kind !== 'string' || typeof path !== 'string' || !isObject(fields)) {
    throw new CommandError(`'${folder}${name}' is not a resource. Expected an object with kind, path and fields.`);
  }
  return { ...value, kind, path, fields };
}

async function readObject(name: string, world: CommandEnvironment): Promise<JsonObject> {
  const text = await readText(name, world);
  try {
    const value = parseKeepingNumberText(text);
    if (isObject(value)) return value;
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new CommandError(`'${name}' is not JSON: ${reason}`);
  }
  throw new CommandError(`'${name}' is not a JSON object.`);
}

async function readText(name: string, world: CommandEnvironment): Promise<string> {
  return (await world.readFile(name)).toString();
}

/** The name of the file that contains the content of a style. */
function findContentFile(content: Json | undefined): string | undefined {
  if (!isObject(content)) return undefined;
  const { $file: file } = content;
  if (typeof file !== 'string') return undefined;
  if (/[/\\]/.test(file)) {
    throw new CommandError(`Invalid $file '${file}'. Use the name of a file in the same directory.`);
  }
  return file;
}

/** The name of a file in the directory of another one. */
function resolveBeside(name: string, file: string): string {
  return `${name.slice(0, name.lastIndexOf('/') + 1)}${file}`;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function formatJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

async function* streamText(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
