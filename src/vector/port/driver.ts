/** What makes a vector source out of connection parameters. */
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type { IndexFolder } from './index-folder.ts';
import type { PersistedSchemas } from './internal-stores.ts';
import type { VectorSource } from './port.ts';

/** As a client gave them, secrets included; only drivers ever see these. */
export type ConnectionParameters = Readonly<Record<string, string>>;

export interface DriverContext {
  /** Where a file or folder that a parameter names really is, if it may be used there; throws a Problem otherwise. There need not be anything yet. */
  resolvePath(named: string): Promise<string>;
  /** The folder of all files that came together with this one; absent where a file stands for itself. */
  findFolder?(named: string): Promise<string | undefined>;
  /** Throws a Problem for a host, in small letters, that data itself names and that may not be connected to. */
  checkHost?(host: string): void;
  /** Whether data may use what the operator keeps for it by name only, such as passwords. */
  readonly mayUseSecrets?: boolean;
  /** The folder of an upload that names it: whatever lies there is read, and never written. */
  readonly uploadFolder?: string;
  /** Where indexes over files are kept; absent for data that nobody comes back to. */
  readonly indexFolder?: IndexFolder;
  /** Where filters are evaluated that a driver cannot hand to its database; on this thread where it is absent. */
  readonly filterRunner?: FilterRunner;
}

export interface VectorDriver {
  /** What the store's `type` says, such as `PostGIS`. */
  readonly type: string;
  /** Whether these parameters mean this driver. */
  accepts(parameters: ConnectionParameters): boolean;
  /** The names it understands; any other is without effect, which clients are told. */
  readonly parameterNames: ReadonlySet<string>;
  /** Those that name files or folders of the server: they pass the path gate before anything is stored. */
  readonly pathParameters?: readonly string[];
  /** Whether a parameter names one only with some values, and so passes the gate with these. */
  isPath?(name: string, value: string): boolean;
  /** Whether a parameter is a secret with this value, beside those that always are. */
  isSecret?(name: string, value: string): boolean;
  /** The host that a store with these parameters connects to, in small letters; absent where none is. */
  getHost?(parameters: ConnectionParameters): string;
  /** What is wrong with the values, without connecting to anything; undefined when nothing is. */
  validate(parameters: ConnectionParameters): { readonly parameter: string; readonly reason: string } | undefined;
  /** Throws a Problem for an address that may not be asked; nothing is asked yet. */
  checkAccess?(parameters: ConnectionParameters): Promise<void>;
  open(parameters: ConnectionParameters, context: DriverContext): Promise<VectorSource>;
  /** The schemas that are persisted for some of its types; absent where data has its schema itself. */
  schemas?(
    parameters: ConnectionParameters,
    context: DriverContext,
    types: readonly string[],
  ): Promise<PersistedSchemas>;
  /** How its data comes in files; absent where it is in no files. */
  readonly uploads?: UploadRules;
  /** Whether features of data of another kind can be imported into its stores. */
  readonly takesImports: boolean;
}

/** What has to be known of a kind of data in files before it is opened. */
export interface UploadRules {
  /** What the names of its files end with, and the addresses of its uploads: `shp`. */
  readonly format: string;
  /** Whether a store is a folder of such files, or one file. */
  readonly store: 'folder' | 'file';
  /** Whether a file in a folder is a part of the data whose main file has the other name; absent where one file is all. */
  isPartOf?(fileName: string, mainFile: string): boolean;
  /**
   * Whether it is no data, but says how other data is read. Then a single file takes the place of the main one, and what
   * came along with that stays; a store keeps its types unless they are configured anew; and nothing is imported from it.
   */
  readonly isMapping?: boolean;
  /** Whether there is something to publish in a store without any types. */
  readonly mayBeEmpty: boolean;
  /** Whether new data becomes tables of a store that is made for imports, rather than a store of its own. */
  readonly isImported?: true;
  /** Whether a new store can be made to import data of another kind into: nothing but a file name is needed for it. */
  readonly isMadeForImports: boolean;
  /** The parameters that open a folder or file. */
  createParameters(location: string, options: { readonly charset: string | undefined }): ConnectionParameters;
}

/** A driver whose data comes in files. */
export type UploadDriver = VectorDriver & { readonly uploads: UploadRules };

/** Those whose data comes in files. */
export function listUploadDrivers(drivers: readonly VectorDriver[]): readonly UploadDriver[] {
  return drivers.filter((driver): driver is UploadDriver => driver.uploads !== undefined);
}

/** The parameters that are secrets in every driver. */
export const secretParameters: ReadonlySet<string> = new Set(['passwd', 'password']);
