/** Once per run: starts the broker that gives test files their private servers, and stops those at the end. */
import type { TestProject } from 'vitest/node';
import './services/ask-for-service.ts';
import { startServiceBroker } from './services/service-broker.ts';
import { serviceStarters } from './services/service-table.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const broker = await startServiceBroker({ ...serviceStarters });
  project.provide('serviceBrokerAddress', broker.address);
  return () => broker.close();
}
