/** Reads the sensors of the kernel; virtual machines have none. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sensors } from './sample.ts';

interface Reading {
  /** The name of the chip: `coretemp`. */
  readonly chip: string;
  /** `temp1`, `in0`, `fan2`. */
  readonly channel: string;
  readonly value: number;
}

/** Chips inside the processor. */
const processorChips = new Set(['coretemp', 'k10temp', 'zenpower', 'cpu_thermal']);

export async function readSensors(root: string): Promise<Sensors> {
  const readings = await readChips(join(root, 'sys/class/hwmon'));
  const temperatures = readings.filter(({ channel }) => channel.startsWith('temp'));
  const ofProcessor = temperatures.filter(({ chip }) => processorChips.has(chip));
  const milliDegrees = findHottest(ofProcessor) ?? findHottest(temperatures) ?? (await readHottestZone(root));
  const milliVolts = readings.find(({ channel }) => channel.startsWith('in'))?.value;
  return {
    ...(milliDegrees === undefined ? {} : { temperatureCelsius: milliDegrees / 1_000 }),
    ...(milliVolts === undefined ? {} : { volts: milliVolts / 1_000 }),
    fanSpeedsRpm: readings.filter(({ channel }) => channel.startsWith('fan')).map(({ value }) => value),
  };
}

async function readChips(place: string): Promise<readonly Reading[]> {
  const chips = await listNames(place);
  const readings = await Promise.all(chips.map((chip) => readChip(join(place, chip))));
  return readings.flat();
}

async function readChip(place: string): Promise<readonly Reading[]> {
  const chip = await readFile(join(place, 'name'), 'utf8').catch(() => '');
  const inputs = (await listNames(place)).filter((name) => /^(?:temp|in|fan)\d+_input$/.test(name));
  const values = await Promise.all(inputs.map((name) => readSensorValue(join(place, name))));
  return inputs.flatMap((name, index): Reading[] => {
    const value = values[index];
    return value === undefined ? [] : [{ chip: chip.trim(), channel: name.replace('_input', ''), value }];
  });
}

/** Boards without such chips still report the temperature of their zones. */
async function readHottestZone(root: string): Promise<number | undefined> {
  const place = join(root, 'sys/class/thermal');
  const zones = (await listNames(place)).filter((name) => name.startsWith('thermal_zone'));
  const values = await Promise.all(zones.map((zone) => readSensorValue(join(place, zone, 'temp'))));
  return findGreatest(values.filter((value) => value !== undefined));
}

function findHottest(readings: readonly Reading[]): number | undefined {
  return findGreatest(readings.map(({ value }) => value));
}

function findGreatest(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.max(...values);
}

/** Reading a disabled sensor fails. */
async function readSensorValue(file: string): Promise<number | undefined> {
  const text = (await readFile(file, 'utf8').catch(() => '')).trim();
  return /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

async function listNames(place: string): Promise<readonly string[]> {
  const names = await readdir(place).catch((): string[] => []);
  return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
