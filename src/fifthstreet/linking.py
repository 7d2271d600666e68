"""How a kernel becomes machine code, with the parts of Numba's compiler that are changed for it.

Numba by itself compiles every function that a function calls all the way to machine code, with a wrapper for Python,
and optimises it again in each of its callers. Here a function is translated to LLVM's code once, as a `Part`. Only what
Python calls, or what is called by its address, becomes an `Entry`: it is linked with all the parts that it needs,
optimised and turned into machine code. That halves the time to compile, and since the linked functions are private to
their entry, LLVM inlines them better: a hand of hold'em is played in two thirds of the time.

This module is imported with Numba, when a kernel is first called.
"""

import copy
import secrets
from typing import Any

from numba.core import codegen, compiler
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.environment import Environment, lookup_environment
from numba.core.registry import CPUDispatcher


class PartLibrary(codegen.JITCodeLibrary):
    """The LLVM code of one function, not linked with what it calls, not optimised, and never run by itself."""

    _shared_module: Any

    def add_linking_library(self, library: Any) -> None:
        if not isinstance(library, PartLibrary):
            library._ensure_finalized()
        self._linking_libraries.append(library)

    def finalize(self) -> None:
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """This function with all that it needs, for the libraries of Numba's own compiler."""
        if self._shared_module is None:
            module = codegen.JITCodeLibrary(self._codegen, self.name)._final_module
            link(module, self)
            for function in module.functions:
                if not function.is_declaration and function.linkage == codegen.ll.Linkage.external:
                    function.linkage = "linkonce_odr"  # others may bring it, too
            self._shared_module = module
        return self._shared_module

    def needed(self) -> list[Any]:
        """This library and all that it needs, each once."""
        found: dict[Any, None] = {}
        waiting: list[Any] = [self]
        while waiting:
            library = waiting.pop()
            if library not in found:
                found[library] = None
                waiting += library._linking_libraries if isinstance(library, PartLibrary) else []
        return [*found]


def link(module: Any, part: PartLibrary) -> None:
    """Link a part, and all that it needs, into a module."""
    needed = part.needed()
    for library in needed:
        if isinstance(library, PartLibrary):
            module.link_in(library._final_module, preserve=True)
    for library in needed:  # last, because of these LLVM takes only what is already asked for
        if not isinstance(library, PartLibrary):
            module.link_in(library._get_module_for_linking(), preserve=True)


class EntryLibrary(codegen.JITCodeLibrary):
    """A function with its wrappers and all functions that it needs, as machine code."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.exported: set[str] = set()

    def _optimize_final_module(self) -> None:
        module = self._final_module
        recursive = any(".numba.unresolved$" in variable.name for variable in module.global_variables)
        for function in module.functions:
            if function.is_declaration:
                assert not function.name.startswith("_ZN"), f"{function.name} is called and not linked"
            elif function.name not in self.exported and not recursive:
                function.linkage = "internal"
        super()._optimize_final_module()

    def serialize_using_object_code(self) -> Any:
        """What is cached: machine code and, where Numba keeps LLVM's code for callers, only the exported names."""
        name, kind, (machine_code, _) = super().serialize_using_object_code()
        text = "\n".join(f'define void @"{each}"() {{ ret void }}' for each in sorted(self.exported))
        return name, kind, (machine_code, codegen.ll.parse_assembly(text).as_bitcode())


class PartFlags(compiler.Flags):
    """Settings that give each function a name of its own, also among those that other processes have cached.

    Numba numbers functions and types anew in every process. A function made by a factory could otherwise have the name
    of another one from the cache, and LLVM would call that.
    """

    def __init__(self, copied: Any = None) -> None:
        super().__init__(copied)
        self.token: str = copied.token if copied is not None else secrets.token_hex(8)

    def get_mangle_string(self) -> str:
        return self.token


class PartCompiler(_FunctionCompiler):
    """Translates a function to LLVM's code and goes no further."""

    checks = False  # whether every index is checked in what is being translated, and so in all that it calls

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        before, PartCompiler.checks = PartCompiler.checks, self.targetoptions.get("boundscheck", False)
        try:  # Numba lets one thread at a time compile
            return self._translated(args, return_type)
        finally:
            PartCompiler.checks = before

    def _translated(self, args: Any, return_type: Any) -> Any:
        flags, target = PartFlags(), self.targetdescr.target_context
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        library = PartLibrary(target.codegen(), self.py_func.__qualname__)
        found = compiler.compile_extra(
            self.targetdescr.typing_context,
            target,
            self.py_func,
            args=args,
            return_type=return_type,
            flags=flags,
            locals=self.locals,
            library=library,
            pipeline_class=self.pipeline_class,
        )
        if found.typing_error is not None:
            raise found.typing_error
        return found


class Part(CPUDispatcher):
    """A kernel as other kernels call it."""

    _compiler: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._compiler = _exchanged(self._compiler, PartCompiler)

    def add_overload(self, found: Any) -> None:
        """Numba knows a function that can be called by its entry point; a part has none, so any object will do."""
        known = found._replace(entry_point=object())
        self.targetctx.insert_user_function(known.entry_point, known.fndesc, [known.library])
        self.overloads[tuple(known.signature.args)] = known


class EntryCompiler(_FunctionCompiler):
    """Adds wrappers to a part and makes machine code of it."""

    part: Part

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        self.part.compile(args if return_type is None else return_type(*args))
        found = self.part.overloads[tuple(args)]
        target, function = found.target_context, copy.copy(found.fndesc)
        function.env_name += "_entry"  # the wrapper has constants of its own
        environment = Environment.from_fndesc(function)
        library = EntryLibrary(target.codegen(), found.library.name)
        library.enable_object_caching()
        library.exported = {function.llvm_cpython_wrapper_name, function.llvm_cfunc_wrapper_name}
        link(library._final_module, found.library)
        wrapped = library, function, environment, found.call_helper
        with target.push_code_library(library):
            target.create_cpython_wrapper(*wrapped, release_gil=True)
            target.create_cfunc_wrapper(*wrapped)
        entry = target.get_executable(library, function, environment)
        for variable in library._final_module.global_variables:  # constants of the functions linked in
            known = lookup_environment(variable.name) if variable.name.startswith("_ZN08NumbaEnv") else None
            if known is not None:
                library.codegen.set_env(variable.name, known)
        reload = {each: None for part in found.library.needed() for each in getattr(part, "_reload_init", ())}
        return found._replace(
            library=library,
            fndesc=function,
            environment=environment,
            entry_point=entry,
            reload_init=[*reload],
            metadata={},
        )


class Entry(CPUDispatcher):
    """A kernel as Python calls it."""

    _compiler: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._compiler = _exchanged(self._compiler, EntryCompiler)
        self._compiler.part = Part(*args, **kwargs)

    @property
    def part(self) -> Part:
        found: Part = self._compiler.part
        return found


def _exchanged(given: Any, kind: Any) -> Any:
    return kind(given.py_func, given.targetdescr, given.targetoptions, given.locals, given.pipeline_class)
