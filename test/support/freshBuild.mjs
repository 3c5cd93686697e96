// Before tests of the built package: builds it when a source is newer, so that any test file runs by itself.
import { ensureBuild } from '../../sandbox/setup.mjs';

export default ensureBuild;
