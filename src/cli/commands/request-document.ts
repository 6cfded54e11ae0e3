/** Reads the configuration from a file or directory and substitutes environment variables. */
import { parseKeepingNumberText } from '../../lib/json/keep-number-text.ts';
import type { Json, JsonObject } from '../../lib/json/value.ts';
import { type CommandEnvironment, CommandError, type Request } from '../client/command.ts';

/** The signature at the start of a ZIP archive. */
const ZIP = Buffer.from('PK\u0003\u0004');

/** `message` becomes the description of the change. */
export async function readRequestDocument(
  name: string,
  world: CommandEnvironment,
  message?: string,
): Promise<NonNullable<Request['body']>> {
  const completeDocument = (given: Json) => {
    const document = substituteEnvironment(given, world.environment, name);
    return JSON.stringify(message === undefined ? document : addMessage(document, message));
  };
  const { readDirectory } = await import('./directory.ts');
  const composed = await readDirectory(name, world);
  if (composed !== undefined) {
    return { type: 'application/json', bytes: Buffer.from(completeDocument(composed)) };
  }
  const bytes = await world.readFile(name);
  if (!bytes.subarray(0, ZIP.length).equals(ZIP)) {
    return { type: 'application/json', bytes: Buffer.from(completeDocument(parseDocument(bytes.toString(), name))) };
  }
  const { readArchivedDocument, replaceArchivedDocument } = await import('./archive.ts');
  const text = readArchivedDocument(bytes);
  const isWhole = text === undefined || (message === undefined && !text.includes('"$env"'));
  return {
    type: 'application/zip',
    bytes: isWhole ? bytes : replaceArchivedDocument(bytes, completeDocument(parseDocument(text, name))),
  };
}

function parseDocument(text: string, name: string): Json {
  try {
    return parseKeepingNumberText(text);
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new CommandError(
      `${name === '-' ? 'Standard input' : `'${name}'`} is neither JSON nor a ZIP archive: ${reason}`,
    );
  }
}

function addMessage(document: Json, message: string): Json {
  return typeof document === 'object' && document !== null && !Array.isArray(document)
    ? { ...document, message }
    : document;
}

/** Replaces every `{ "$env": "NAME" }` and reports all unset variables together. */
function substituteEnvironment(document: Json, environment: CommandEnvironment['environment'], name: string): Json {
  const missing = new Set<string>();
  const substituteVariables = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value;
    if (isList(value)) return value.map(substituteVariables);
    const variable = findVariable(value);
    if (variable === undefined) {
      return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, substituteVariables(inner)]));
    }
    const text = environment[variable];
    if (text === undefined) missing.add(variable);
    return text ?? null;
  };
  const result = substituteVariables(document);
  if (missing.size > 0) {
    const names = [...missing].join(', ');
    throw new CommandError(`'${name}' uses environment variables that are not set: ${names}.`);
  }
  return result;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function findVariable(value: JsonObject): string | undefined {
  const { $env, ...others } = value;
  return typeof $env === 'string' && Object.keys(others).length === 0 ? $env : undefined;
}
