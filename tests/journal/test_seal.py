"""Sealed values: committed to, encrypted, opened; a wrong opening is a defined outcome."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from puntobanco.cli.keys import load_key
from puntobanco.errors import UnusableError
from puntobanco.journal.mac import derived
from puntobanco.journal.seal import SealError, commit, seal, unseal

KEY, NONCE, SALT = b"k" * 32, b"n" * 12, b"s" * 32


@given(content=st.binary(max_size=200), salt=st.binary(min_size=16, max_size=64))
def test_what_is_sealed_opens_to_itself(content: bytes, salt: bytes) -> None:
    sealed = seal(commit(salt, content), content, KEY, NONCE)
    assert unseal(sealed, KEY) == content


def test_the_content_is_nowhere_to_be_read_before_it_is_opened() -> None:
    sealed = seal(commit(SALT, b"banker 500"), b"banker 500", KEY, NONCE)
    for shown in (sealed.commitment.encode(), sealed.nonce, sealed.content):
        assert b"banker" not in shown
        assert b"500" not in shown


def test_a_small_secret_cannot_be_guessed_from_its_commitment() -> None:
    """Another salt, another hash: nobody can try all wagers against it."""
    assert commit(SALT, b"500") != commit(b"t" * 32, b"500")


def test_salt_and_content_cannot_run_into_one_another() -> None:
    whole = b"0123456789abcdefghij"
    commitments = {commit(whole[:cut], whole[cut:]) for cut in (16, 17, 18)}
    assert len(commitments) == 3


def test_a_wrong_key_or_a_changed_value_is_said() -> None:
    sealed = seal(commit(SALT, b"banker 500"), b"banker 500", KEY, NONCE)
    other = seal(commit(SALT, b"player 500"), b"player 500", KEY, NONCE)
    for broken, key in (
        (sealed, b"x" * 32),
        (replace(sealed, content=sealed.content[:-1] + b"!"), KEY),
        (replace(sealed, commitment=other.commitment), KEY),
        (replace(sealed, content=other.content), KEY),
    ):
        with pytest.raises(SealError):
            unseal(broken, key)


def test_a_key_is_read_from_a_file_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(KEY.hex() + "\n")
    assert load_key(file) == KEY
    for text in ("", "zz", "ab"):
        file.write_text(text)
        with pytest.raises(UnusableError):
            load_key(file)
    with pytest.raises(UnusableError, match="no key can be read"):
        load_key(tmp_path / "nowhere")


@given(key=st.binary(min_size=32, max_size=32), use=st.text(max_size=40))
def test_keys_are_derived_as_the_standard_says(key: bytes, use: str) -> None:
    """Codes of rows need nothing but the standard library; another HKDF gives the same."""
    assert derived(key, use) == HKDF(SHA256(), 32, None, use.encode()).derive(key)
