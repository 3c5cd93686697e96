#!/usr/bin/env node
// `npm run bench`: installs and builds what is missing, then hands over to index.ts.
import { loadBuilt, main } from '../../sandbox/setup.mjs';

await main(async () => await loadBuilt(import.meta.url, './index.ts'));
