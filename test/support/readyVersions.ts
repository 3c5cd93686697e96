import { installForTest } from './n8n';
import { versionsNamed } from './versions';

/** As readyN8n.ts. Jest runs a file of this kind once, however many of the projects that it runs name it. */
export default async function makeReady(): Promise<void> {
	for (const version of versionsNamed(process.env.COMPAT_ONLY)) await installForTest(version);
}
