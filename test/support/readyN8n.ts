import { installForTest } from './n8n';

/** Before all tests: what they need of a real n8n is made once, not by each process of jest. */
export default async function makeReady(): Promise<void> {
	await installForTest();
}
