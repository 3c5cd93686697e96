#!/usr/bin/env node
// Starts the service of the sandbox alone: installs what is missing, then hands over to cli.ts.
import { ensureDependencies, loadTypeScript, main } from './setup.mjs';

await main(async () => {
	await ensureDependencies();
	await loadTypeScript(import.meta.url, './service/cli.ts');
});
