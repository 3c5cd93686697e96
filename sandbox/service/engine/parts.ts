import { exclusives } from './exclusive';
import { living } from './living';
import { engineSettings } from './settings';
import { tasks } from './tasks';
import type { Part } from './world';

/** What the engine itself adds to the world. */
export const engineParts: Part[] = [{ settings: engineSettings }, tasks, exclusives, living];
