/** Whether tests run unattended: then a test that cannot run fails, because a skipped one would go unnoticed. */
export function isContinuousIntegration(environment: NodeJS.ProcessEnv = process.env): boolean {
  const { CI } = environment;
  return CI !== undefined && !['', '0', 'false'].includes(CI.toLowerCase());
}
