/** One named thing with properties, as the version report and the manifest list them. */

export interface AboutResource {
  readonly name: string;
  /** In the order they are shown. */
  readonly properties: Readonly<Record<string, string>>;
}

/** `27-Jan-2025 07:51`, as this field writes the moment of a build; in UTC. */
export function formatBuildTimestamp(ms: number): string {
  const [year = '', month = '', day = '', time = ''] = new Date(ms).toISOString().split(/[-T]/);
  return `${day}-${monthNames[Number(month) - 1]}-${year} ${time.slice(0, 5)}`;
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
