/** The interface of vector drivers, which create sources from connection parameters. */
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type { RangeChannel } from '../../remote/channel.ts';
import type { IndexFolder } from './index-folder.ts';
import type { PersistedSchemas } from './internal-stores.ts';
import type { VectorSource } from './port.ts';

/** As sent by the client, including secrets; only drivers see these. */
export type ConnectionParameters = Readonly<Record<string, string>>;

export interface DriverContext {
  /** Resolves the path of a file or folder and throws a Problem if access is not allowed. The file need not exist. */
  resolvePath(named: string): Promise<string>;
  /** Returns the folder of all files of the same upload; absent for standalone files. */
  findFolder?(named: string): Promise<string | undefined>;
  /** Throws a Problem for a host (in lower case) that the data refers to and that is not allowed. */
  checkHost?(host: string): void;
  /** Whether the data may use the operator's properties, such as passwords. */
  readonly mayUseSecrets?: boolean;
  /** The upload folder, which is read but never written. */
  readonly uploadFolder?: string;
  /** The cache folder for file indexes; absent for temporary data. */
  readonly indexFolder?: IndexFolder;
  /** The channel to remote files; absent if the driver only finds its capabilities. */
  readonly ranges?: RangeChannel;
  /** Evaluates filters that the database does not support; defaults to this thread. */
  readonly filterRunner?: FilterRunner;
}

export interface VectorDriver {
  /** The `type` of the store, such as `PostGIS`. */
  readonly type: string;
  /** Whether the parameters belong to this driver. */
  accepts(parameters: ConnectionParameters): boolean;
  /** The supported parameter names; others have no effect and produce a warning. */
  readonly parameterNames: ReadonlySet<string>;
  /** Parameters with server paths, which are checked by the path gate before they are stored. */
  readonly pathParameters?: readonly string[];
  /** Returns the URL in the value of a path parameter that is a file on another server, which is read by ranges. */
  parseRemoteUrl?(value: string): string | undefined;
  /** Whether a parameter value is a path, for parameters that are paths only for some values. */
  isPath?(name: string, value: string): boolean;
  /** Whether the value makes the parameter a secret, in addition to those that always are. */
  isSecret?(name: string, value: string): boolean;
  /** Returns the host of the store in lower case; absent for drivers without hosts. */
  getHost?(parameters: ConnectionParameters): string;
  /** Validates the values without connecting; returns undefined if they are valid. */
  validate(parameters: ConnectionParameters): { readonly parameter: string; readonly reason: string } | undefined;
  /** Throws a Problem for a URL that is not allowed; sends no request. */
  checkAccess?(parameters: ConnectionParameters): Promise<void>;
  open(parameters: ConnectionParameters, context: DriverContext): Promise<VectorSource>;
  /** Manages the persisted schemas of its types; absent if the data contains its schema. */
  schemas?(
    parameters: ConnectionParameters,
    context: DriverContext,
    types: readonly string[],
  ): Promise<PersistedSchemas>;
  /** How its data is uploaded as files; absent for databases. */
  readonly uploads?: UploadRules;
  /** Whether its stores support the import of other data. */
  readonly takesImports: boolean;
}

/** The properties of file-based data that are needed before it is opened. */
export interface UploadRules {
  /** The file extension, which is also used in upload URLs: `shp`. */
  readonly format: string;
  /** Whether a store is a folder of such files, or one file. */
  readonly store: 'folder' | 'file';
  /** Whether a file belongs to the data of a main file; absent if a single file is complete. */
  isPartOf?(fileName: string, mainFile: string): boolean;
  /**
   * Whether it is a mapping of other data. A single uploaded file then replaces the main file and keeps the others; a
   * store keeps its types unless they are configured again; and nothing is imported from it.
   */
  readonly isMapping?: boolean;
  /** The folder of a store with copies of other documents; each upload creates it again. */
  readonly copiesFolder?: string;
  /** Whether a store without types can be published. */
  readonly mayBeEmpty: boolean;
  /** Whether new data is imported as tables of an import store instead of becoming its own store. */
  readonly isImported?: true;
  /** Whether a store for imports can be created, which requires only a file name. */
  readonly isMadeForImports: boolean;
  /** Returns the parameters that open a folder or file. */
  createParameters(location: string, options: { readonly charset: string | undefined }): ConnectionParameters;
}

/** Whether the path gate decides about a parameter. */
export function isPathParameter(driver: VectorDriver, name: string, value: string): boolean {
  if (driver.pathParameters?.includes(name) === true) return driver.parseRemoteUrl?.(value) === undefined;
  return driver.isPath?.(name, value) === true;
}

/** Returns the URL of the file on another server that a store reads. */
export function findRemoteUrl(driver: VectorDriver, parameters: ConnectionParameters): string | undefined {
  const urls = driver.pathParameters?.map((name) => driver.parseRemoteUrl?.(parameters[name] ?? ''));
  return urls?.find((url) => url !== undefined);
}

export type UploadDriver = VectorDriver & { readonly uploads: UploadRules };

export function listUploadDrivers(drivers: readonly VectorDriver[]): readonly UploadDriver[] {
  return drivers.filter((driver): driver is UploadDriver => driver.uploads !== undefined);
}

/** The parameters that are secrets in every driver. */
export const secretParameters: ReadonlySet<string> = new Set(['passwd', 'password']);
