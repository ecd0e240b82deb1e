import library from './index.cjs';

export default library.vitePlugin;
