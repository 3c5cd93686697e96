const { rm } = require('node:fs/promises');
const { dest, src } = require('gulp');

/** Removes the last build, so that the package holds nothing that is gone from the source. */
exports.clean = async () => await rm('dist', { recursive: true, force: true });

/** Copies what tsc leaves behind: icons, and the codex files beside the nodes. */
exports.assets = () =>
	src(['icons/*.svg', 'nodes/**/*.node.json'], { base: '.', encoding: false }).pipe(dest('dist'));
